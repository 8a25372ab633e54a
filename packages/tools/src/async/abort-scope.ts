/**
 * One end for many: what runs inside is told when the scope is aborted, by itself or by the signal that it follows.
 * An AbortSignal with a listener a call would cost the square of the number of calls.
 */
export interface AbortScope {
  isAborted(): boolean;
  abort(reason: unknown): void;
  /** Calls back once, on abort. Returns the way to leave before that. */
  onAbort(listener: (reason: unknown) => void): () => void;
  /** Aborts when the signal does, at once if it has. Returns the way to stop following. */
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
