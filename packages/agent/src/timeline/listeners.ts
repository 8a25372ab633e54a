import type { RunEvent } from "@cogency/protocol";

/**
 * Hears the events of a run, at the moment at which they are given to its consumer. What it throws, or the promise that it
 * returns, is ignored; a listener that works for long delays the run, as any code does that holds the thread.
 */
export type RunListener<E extends RunEvent = RunEvent> = (event: E) => void;

/** The listeners of an agent, by the type of the events that they hear. */
export class Listeners {
  readonly #byType = new Map<string, Set<RunListener>>();

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

  tell(event: RunEvent): void {
    for (const type of [event.type, "*"]) {
      for (const listener of this.#byType.get(type) ?? []) hear(listener, event);
    }
  }
}

/** Calls a listener, which may be an async function. */
export function hear(listener: RunListener, event: RunEvent): void {
  try {
    const heard: unknown = listener(event);
    if (heard instanceof Promise) heard.catch(() => {});
  } catch {
    // The run does not depend on who listens.
  }
}
