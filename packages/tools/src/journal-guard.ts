import type { AbortScope } from "./abort-scope.ts";
import type { Journal } from "./executor.ts";

/** A journal whose first failure ends the batch; after it nothing more is written. */
export interface JournalGuard {
  /** Whether the entry was written. Never throws. */
  write(entry: (journal: Journal) => Promise<void> | void): Promise<boolean>;
  /** @throws what the journal threw, if it did */
  rethrow(): void;
}

export function guardJournal(journal: Journal | undefined, scope: AbortScope): JournalGuard {
  let failure: { error: unknown } | undefined;
  return {
    async write(entry) {
      if (failure) return false;
      try {
        if (journal) await entry(journal);
        return true;
      } catch (error) {
        failure ??= { error };
        scope.abort(error);
        return false;
      }
    },
    rethrow() {
      if (failure) throw failure.error;
    },
  };
}
