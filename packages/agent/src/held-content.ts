import type { LogEvent, RecordEvent } from "@cogency/protocol";
import type { Content, ToolExecution } from "@cogency/tools";
import { endsTurn } from "./open-calls.ts";

/**
 * What the records of a log say that the conversation holds: the first source of each kind. Of a call that began and
 * never ended, as when the process was killed, that is what it would bring at worst.
 */
export function contentIn(log: readonly LogEvent[]): Content[] {
  let found: { content: Content; begun?: string }[] = [];
  for (const event of log) {
    if (endsTurn(event)) {
      // Another call may have the same id; those that did not end by now never do.
      found = found.map(({ content }) => ({ content }));
    } else if (event.type !== "record") continue;
    else if (event.kind === "content" && isContent(event.data)) found.push({ content: event.data });
    else if (event.kind === "started") {
      for (const content of worstOf(event.data)) found.push({ content, begun: event.data.id });
    } else if (event.kind === "finished") {
      found = found.filter(({ begun }) => begun === undefined || begun !== event.data?.id);
    }
  }
  const held: Content[] = [];
  for (const { content } of found) {
    const { holds, source } = content;
    if (!held.some((other) => other.holds === holds)) held.push({ holds, source });
  }
  return held;
}

/** Says in the log that from here on the conversation holds this; `call` brought it, if one did. */
export function contentRecord({ holds, source }: Content, timestamp: number, call?: string): RecordEvent {
  const data = { holds, source, ...(call !== undefined && { call }) };
  return { type: "record", kind: "content", data, timestamp };
}

/** Says what calls brought that did not begin, by what their tools said of them; the others are told with their end. */
export function contentOfRefused(executions: readonly ToolExecution[], timestamp: number): RecordEvent[] {
  return executions.flatMap(({ id, started, brings = [] }) =>
    started ? [] : brings.map((content) => contentRecord(content, timestamp, id)),
  );
}

/** What a log counts as holding, whatever it says, if somebody else may have written it. */
export const foreignContent: readonly Content[] = (["untrusted", "private"] as const).map((holds) => ({
  holds,
  source: "a log that this installation did not begin",
}));

/** A log from elsewhere may hold anything. */
function worstOf(data: unknown): Content[] {
  const { brings } = (data ?? {}) as { brings?: unknown };
  return Array.isArray(brings) ? brings.filter(isContent) : [];
}

function isContent(data: unknown): data is Content {
  const { holds, source } = (data ?? {}) as Partial<Content>;
  return (holds === "untrusted" || holds === "private") && typeof source === "string";
}
