/**
 * Aborts many things at once, by itself or when the signal aborts that it follows. Removing a listener from an AbortSignal
 * takes time in proportion to their number; leaving a scope does not.
 */
export interface AbortScope {
  isAborted(): boolean;
  abort(reason: unknown): void;
  /** Calls the listener once, on abort; at once if the scope has aborted. Returns a function that removes the listener. */
  onAbort(listener: (reason: unknown) => void): () => void;
  /** Aborts when the signal does; at once if it has. Returns a function that stops following. */
  follow(signal: AbortSignal): () => void;
}

export function createAbortScope(): AbortScope {
  const listeners = new Set<(reason: unknown) => void>();
  let aborted = false;
  let reason: unknown;
  return {
    isAborted: () => aborted,
    abort(cause) {
      if (aborted) return;
      aborted = true;
      reason = cause;
      for (const listener of listeners) listener(cause);
      listeners.clear();
    },
    onAbort(listener) {
      if (aborted) listener(reason);
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow(signal) {
      const abort = () => this.abort(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort);
      return () => signal.removeEventListener("abort", abort);
    },
  };
}
