import type { LogEvent, RecordEvent } from "@cogency/protocol";
import type { Content, ToolExecution } from "@cogency/tools";
import { closesCalls } from "./closes-calls.ts";

/** The content that a conversation holds by the records of its log: the first source of each kind. */
export function contentIn(log: readonly LogEvent[]): Content[] {
  const content = new HeldContent();
  for (const event of log) content.add(event);
  return content.held();
}

/**
 * Collects the content of a log, event by event. A call that began and never ended, because the process was killed for
 * instance, counts with everything that it may have brought.
 */
export class HeldContent {
  #found: { content: Content; begun?: string }[] = [];

  add(event: LogEvent): void {
    if (closesCalls(event)) {
      // A later call may have the same id. Calls that have not ended by now never do.
      this.#found = firstOfEach(this.#found.map(({ content }) => ({ content })));
    } else if (event.type === "record") {
      this.#addRecord(event);
    }
  }

  held(): Content[] {
    return firstOfEach(this.#found).map(({ content: { holds, source } }) => ({ holds, source }));
  }

  #addRecord(event: RecordEvent): void {
    if (event.kind === "content" && isContent(event.data)) this.#found.push({ content: event.data });
    else if (event.kind === "started") {
      for (const content of worstOf(event.data)) this.#found.push({ content, begun: event.data.id });
    } else if (event.kind === "finished") {
      this.#found = this.#found.filter(({ begun }) => begun === undefined || begun !== event.data?.id);
    }
  }
}

function firstOfEach<T extends { content: Content }>(found: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const one of found) if (!first.has(one.content.holds)) first.set(one.content.holds, one);
  return [...first.values()];
}

/** The record that the conversation holds this content from here on. `call` is the id of the call that brought it. */
export function contentRecord({ holds, source }: Content, timestamp: number, call?: string): RecordEvent {
  const data = { holds, source, ...(call !== undefined && { call }) };
  return { type: "record", kind: "content", data, timestamp };
}

/** Content records for calls that did not begin. Content of the other calls is stored together with their `finished`. */
export function contentOfRefused(executions: readonly ToolExecution[], timestamp: number): RecordEvent[] {
  return executions.flatMap(({ id, started, brings = [] }) =>
    started ? [] : brings.map((content) => contentRecord(content, timestamp, id)),
  );
}

/** Content that every log counts as holding if another installation may have written it. */
export const foreignContent: readonly Content[] = (["untrusted", "private"] as const).map((holds) => ({
  holds,
  source: "a log that this installation did not begin",
}));

/** Everything that a call may bring, as its `started` record says. */
function worstOf(data: unknown): Content[] {
  const { brings } = (data ?? {}) as { brings?: unknown };
  return Array.isArray(brings) ? brings.filter(isContent) : [];
}

/** A log from elsewhere may hold anything. */
function isContent(data: unknown): data is Content {
  const { holds, source } = (data ?? {}) as Partial<Content>;
  return (holds === "untrusted" || holds === "private") && typeof source === "string";
}
