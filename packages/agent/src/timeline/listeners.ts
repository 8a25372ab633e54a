import type { RunEvent } from "@cogency/protocol";
import type { RunPlace } from "@cogency/protocol/host";

/**
 * Hears the events of a run, at the moment at which they are given to its consumer. What it throws, or the promise that it
 * returns, is ignored; a listener that works for long delays the run, as any code does that holds the thread.
 */
export type RunListener<E extends RunEvent = RunEvent> = (event: E) => void;

/**
 * Returns the trace that a run is part of: a `traceparent` of W3C Trace Context. Undefined if it is part of none. What it throws is
 * ignored, and so is a text of another form.
 */
export type TraceOf = (run: Pick<RunPlace, "id" | "conversation" | "user">) => string | undefined;

/** The listeners of an agent, by the type of the events that they hear, and who traces its runs. */
export class Listeners {
  readonly #byType = new Map<string, Set<RunListener>>();
  readonly #traces = new Set<{ of: TraceOf }>();

  get isEmpty(): boolean {
    return this.#byType.size === 0;
  }

  /** @returns removes the listener */
  add(type: string, listener: RunListener): () => void {
    const others = this.#byType.get(type) ?? new Set();
    // The same function may be added twice, and each removal removes one.
    const own: RunListener = (event) => listener(event);
    this.#byType.set(type, others.add(own));
    return () => {
      others.delete(own);
      if (others.size === 0 && this.#byType.get(type) === others) this.#byType.delete(type);
    };
  }

  /** @returns ends it */
  keepTrace(of: TraceOf): () => void {
    const trace = { of };
    this.#traces.add(trace);
    return () => void this.#traces.delete(trace);
  }

  /** The trace of a run, by the first of those who trace it and know one. */
  traceOf(run: Parameters<TraceOf>[0]): string | undefined {
    for (const { of } of this.#traces) {
      try {
        const traceparent = of(run);
        if (typeof traceparent === "string" && form.test(traceparent)) return traceparent;
      } catch {
        // The run does not depend on who traces it.
      }
    }
    return undefined;
  }

  tell(event: RunEvent): void {
    for (const type of [event.type, "*"]) {
      for (const listener of this.#byType.get(type) ?? []) hear(listener, event);
    }
  }
}

const form = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Calls a listener, which may be an async function. */
export function hear(listener: RunListener, event: RunEvent): void {
  try {
    const heard: unknown = listener(event);
    if (heard instanceof Promise) heard.catch(() => {});
  } catch {
    // The run does not depend on who listens.
  }
}
