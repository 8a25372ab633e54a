import type { LogEvent, RecordEvent } from "@cogency/protocol";
import type { Content } from "@cogency/tools";

/** What the records of a log say that the conversation holds: the first source of each kind. */
export function contentIn(log: readonly LogEvent[]): Content[] {
  const held: Content[] = [];
  for (const event of log) {
    if (event.type !== "record" || event.kind !== "content" || !isContent(event.data)) continue;
    const { holds, source } = event.data;
    if (!held.some((content) => content.holds === holds)) held.push({ holds, source });
  }
  return held;
}

/** Says in the log that from here on the conversation holds this; `call` brought it, if one did. */
export function contentRecord({ holds, source }: Content, timestamp: number, call?: string): RecordEvent {
  const data = { holds, source, ...(call !== undefined && { call }) };
  return { type: "record", kind: "content", data, timestamp };
}

/** What a log counts as holding, whatever it says, if somebody else may have written it. */
export const foreignContent: readonly Content[] = (["untrusted", "private"] as const).map((holds) => ({
  holds,
  source: "a log that this installation did not begin",
}));

/** A log from elsewhere may hold anything. */
function isContent(data: unknown): data is Content {
  const { holds, source } = (data ?? {}) as Partial<Content>;
  return (holds === "untrusted" || holds === "private") && typeof source === "string";
}
