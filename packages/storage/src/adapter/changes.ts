/** Wakes callers that wait for a change. */
export interface Changes {
  /** Resolves at the next `announce`, or when `signal` is aborted. */
  next(signal: AbortSignal | undefined): Promise<void>;
  announce(): void;
}

export function createChanges(): Changes {
  const waiting = new Set<() => void>();
  return {
    next: (signal) =>
      new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        if (signal?.aborted) return resolve();
        waiting.add(wake);
        signal?.addEventListener("abort", wake);
      }),
    announce: () => {
      for (const wake of [...waiting]) wake();
    },
  };
}
