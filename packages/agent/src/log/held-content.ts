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
  /** The first of each kind. */
  #found: readonly Found[] = [];
  /** What the calls that have not ended may have brought, by their ids. */
  readonly #begun = new Map<unknown, Found[]>();
  #order = 0;

  add(event: LogEvent): void {
    if (closesCalls(event)) {
      // A later call may have the same id. Calls that have not ended by now never do.
      this.#found = this.#all();
      this.#begun.clear();
    } else if (event.type === "record") {
      this.#addRecord(event);
    }
  }

  held(): Content[] {
    return this.#all().map(({ holds, source }) => ({ holds, source }));
  }

  #addRecord({ kind, data }: RecordEvent): void {
    if (kind === "content" && isContent(data)) this.#found = firstOfEach([...this.#found, this.#numbered(data)]);
    else if (kind === "started") {
      const contents = worstOf(data).map((content) => this.#numbered(content));
      // Its call began again, which keeps what it may have brought before.
      if (contents.length > 0) this.#begun.set(data.id, [...(this.#begun.get(data.id) ?? []), ...contents]);
    } else if (kind === "finished" && data?.id !== undefined) this.#begun.delete(data.id);
  }

  #numbered({ holds, source }: Content): Found {
    return { holds, source, order: this.#order++ };
  }

  #all(): Found[] {
    const begun = [...this.#begun.values()].flat();
    return firstOfEach([...this.#found, ...begun].toSorted((one, other) => one.order - other.order));
  }
}

interface Found extends Content {
  /** Its place in the log. */
  readonly order: number;
}

function firstOfEach(found: readonly Found[]): Found[] {
  const first = new Map<string, Found>();
  for (const one of found) if (!first.has(one.holds)) first.set(one.holds, one);
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
