import type { LogEvent, RecordContent, RecordEvent } from "@cogency/protocol";
import { RunError } from "../errors.ts";
import type { RunContext } from "../run-context.ts";

type ParentData = Extract<RecordContent, { kind: "parent" }>["data"];

/** The record that the conversation is that of an agent which a call has started; none for any other. */
export function parentRecords({ parent }: Pick<RunContext, "parent">, timestamp: number): RecordEvent[] {
  if (!parent) return [];
  const { call, root, agents, context } = parent;
  const data = { conversation: context.conversation, call, root, agents };
  return [{ type: "record", kind: "parent", data, timestamp }];
}

/** What the log says of the call that has started its conversation; undefined if none has. */
export function parentIn(log: readonly LogEvent[]): ParentData | undefined {
  const record = log.find((event) => event.type === "record" && event.kind === "parent");
  if (record?.type !== "record" || record.kind !== "parent") return undefined;
  // A log from elsewhere may hold anything.
  const { conversation, call, root, agents } = (record.data ?? {}) as Partial<ParentData>;
  const isSound = [conversation, call, root].every((text) => typeof text === "string") && Array.isArray(agents);
  return isSound ? (record.data as ParentData) : undefined;
}

/**
 * Whether the run goes on with work that an earlier run of its call has begun.
 *
 * @throws RunError `of_subagent` if the conversation is not that of the call that has started the run, or if no call has started the
 * run and the conversation is that of one
 */
export function checkParent({ parent, conversation }: RunContext, log: readonly LogEvent[]): boolean {
  const found = parentIn(log);
  if (!parent) {
    if (!found) return false;
    const message = `The conversation ${conversation} is that of the agent ${found.agents.join(" > ")}, which a call of another one has started. Go on with ${found.root}.`;
    throw new RunError("of_subagent", message, { cause: found });
  }
  if (log.length === 0) return false;
  if (found?.conversation === parent.context.conversation && found.call === parent.call) return true;
  throw new RunError("of_subagent", `The conversation ${conversation} exists already, and is not that of this call.`);
}
