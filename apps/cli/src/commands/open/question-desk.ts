import type { LogEvent, ToolCall } from "@cogency/protocol";
import { partsOf } from "@cogency/protocol/parts";
import type { Questions } from "@cogency/server";
import type { Key, Store } from "@cogency/storage";
import type { Tool } from "@cogency/tools";
import { argumentsHash } from "@cogency/tools/host";
import type { OfferedRule } from "../../person/approval/asker.ts";
import { factsOf } from "../../person/approval/call-facts.ts";
import type { StandingRules } from "../../person/approval/standing-rules.ts";
import { scopeOfLog } from "./scope-of-log.ts";

interface Desk {
  store: Pick<Store, "load">;
  /** Those that calls in this folder use. */
  tools: readonly Tool[];
  rules: StandingRules;
  /** The folder whose rules they are. */
  scope: string;
}

/**
 * Says of the questions on the page what the terminal says of its own: what a script does, and which rules may be kept instead of a yes. A
 * rule is kept by this process in the file of rules, where every process reads it that works in this folder.
 */
export function questionDesk({ store, tools, rules, scope }: Desk): Questions {
  async function open(key: Key, id: string): Promise<{ call: ToolCall; offered: OfferedRule[] } | undefined> {
    const log = await store.load(key);
    const parts = partsOf(log);
    const question = parts.find((part) => part.type === "question" && part.id === id);
    if (question?.type !== "question" || !question.open || question.asks !== "approval") return undefined;
    const part = parts.findLast((one) => one.type === "call" && one.id === question.call);
    const args = question.args ?? (part?.type === "call" ? part.args : undefined);
    if (args === undefined) return undefined;
    const call = { id: question.call, name: question.name, args };
    const tool = tools.find(({ name }) => name === call.name);
    const isOurs = scopeOfLog(log) === scope && (await hashIn(log, id)) === (await argumentsHash(call.args));
    return { call, offered: tool && isOurs ? rules.offeredFor({ call, tool, concerns: question.concerns }) : [] };
  }

  return {
    async describe(key, id) {
      const found = await open(key, id);
      return found && { facts: factsOf(found.call), rules: found.offered.map(({ text, file }) => ({ text, file })) };
    },
    async keep(key, id, text) {
      const found = await open(key, id);
      const rule = found?.offered.find((one) => one.text === text);
      if (rule) await rules.learn(rule, "always");
      return rule !== undefined;
    },
  };
}

/** That of the arguments that the question is about. What a log shows of them may have been changed since. */
function hashIn(log: readonly LogEvent[], id: string): unknown {
  const record = log.find((event) => event.type === "record" && event.kind === "question" && event.data.id === id);
  return record?.type === "record" && record.kind === "question" ? record.data.hash : undefined;
}
