import type { LogEvent, ToolCall } from "@cogency/protocol";
import { partsOf } from "@cogency/protocol/parts";
import type { Questions } from "@cogency/server";
import type { Key, Store } from "@cogency/storage";
import type { Tool } from "@cogency/tools";
import { argumentsHash } from "@cogency/tools/host";
import { scopeOfLog } from "../../base/scope-of-log.ts";
import { askedServer, definitionIn } from "./asked-server.ts";
import type { OfferedRule } from "./asker.ts";
import { type Fact, factsOf } from "./call-facts.ts";
import { serverSentences } from "./server-call.ts";
import type { StandingRules } from "./standing-rules.ts";

interface Desk {
  store: Pick<Store, "load">;
  /** Those that calls in this folder use. */
  tools: readonly Tool[];
  rules: StandingRules;
  /** The folder whose rules they are. */
  scope: string;
  /** Whether nothing is shown that may be a secret. */
  redacts?: boolean | undefined;
}

interface Open {
  call: ToolCall;
  offered: readonly OfferedRule[];
  /** The fingerprint of the definition of a server's tool. */
  definition: string | undefined;
  /** The folder that the conversation belongs to. */
  scope: string | undefined;
}

/**
 * Says of the questions on a page or in an editor what the terminal says of its own: what a script does, and which rules may be kept instead of a yes. A
 * rule is kept by this process in the file of rules, where every process reads it that works in this folder.
 */
export function questionDesk({ store, tools, rules, scope, redacts }: Desk): Questions {
  async function open(key: Key, id: string): Promise<Open | undefined> {
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
    const offered = tool && isOurs ? rules.offeredFor({ call, tool, concerns: question.concerns }) : [];
    return { call, offered, definition: definitionIn(log, id), scope: scopeOfLog(log) };
  }

  return {
    async describe(key, id) {
      const found = await open(key, id);
      if (found === undefined) return undefined;
      const ofServer = found.definition === undefined ? [] : redacts ? redactedFacts : serverFacts(found);
      return {
        facts: [...ofServer, ...factsOf(found.call)],
        rules: found.offered.map(({ text, file }) => ({ text, file })),
      };
    },
    async keep(key, id, text) {
      const found = await open(key, id);
      const rule = found?.offered.find((one) => one.text === text);
      if (rule) await rules.learn(rule, "always");
      return rule !== undefined;
    },
  };
}

/** What the terminal says of the tool of a server. It is shown as text, so none of it becomes part of a page. */
function serverFacts({ call: { name }, definition, scope }: Open): Fact[] {
  const { tool, place, doubt } = askedServer({ name, definition }, scope);
  const facts = [
    { name: "server", lines: tool ? serverSentences(tool, place) : [] },
    { name: "definition", lines: doubt ? [doubt.why] : [] },
    { name: "difference", lines: doubt?.lines ?? [] },
  ];
  return facts.filter(({ lines }) => lines.length > 0);
}

const redactedFacts: readonly Fact[] = [
  {
    name: "server",
    lines: [
      "This is a tool of an MCP server. Which one, and whether its definition has changed, is not shown with --redact: cogency approve and cogency attach show it.",
    ],
  },
];

/** That of the arguments that the question is about. What a log shows of them may have been changed since. */
function hashIn(log: readonly LogEvent[], id: string): unknown {
  const record = log.find((event) => event.type === "record" && event.kind === "question" && event.data.id === id);
  return record?.type === "record" && record.kind === "question" ? record.data.hash : undefined;
}
