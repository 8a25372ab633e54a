import { type Changes, createChanges } from "../adapter/changes.ts";

/** Wakes callers that wait for a change under a name. */
export interface KeyedChanges {
  /** Resolves at the next `announce` of the name or `announceAll`, or when `signal` is aborted. */
  next(name: string, signal: AbortSignal | undefined): Promise<void>;
  announce(name: string): void;
  announceAll(): void;
}

export function createKeyedChanges(): KeyedChanges {
  /** Only names that somebody waits for. */
  const waiting = new Map<string, { changes: Changes; count: number }>();
  return {
    async next(name, signal) {
      const entry = waiting.get(name) ?? { changes: createChanges(), count: 0 };
      waiting.set(name, entry);
      entry.count += 1;
      await entry.changes.next(signal);
      entry.count -= 1;
      if (entry.count === 0 && waiting.get(name) === entry) waiting.delete(name);
    },
    announce: (name) => waiting.get(name)?.changes.announce(),
    announceAll() {
      for (const { changes } of [...waiting.values()]) changes.announce();
    },
  };
}
