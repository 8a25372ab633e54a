import { type AbortScope, bounded } from "@cogency/async";
import { ToolError } from "../errors.ts";
import type { Journal } from "../executor.ts";

/**
 * A journal whose first failure ends the batch; after it nothing more is written. An entry may take any time, but at most 250
 * ms after an abort: then it counts as failed.
 */
export interface JournalGuard {
  /** Writes an entry. Returns whether it was written and the journal has not failed. Never throws. */
  write(entry: (journal: Journal) => Promise<void> | void): boolean | Promise<boolean>;
  /** Ends the batch as a failed entry does, with this error. */
  fail(error: unknown): void;
  /** @throws the first failure: what the journal threw, ToolError `journal_stalled`, or the error given to `fail` */
  rethrow(): void;
}

export function guardJournal(journal: Journal | undefined, scope: AbortScope): JournalGuard {
  let failure: { error: unknown } | undefined;

  function fail(error: unknown): void {
    failure ??= { error };
    scope.abort(error);
  }

  return {
    fail,
    write(entry) {
      if (failure) return false;
      return journal ? attemptIn(journal, entry) : true;
    },
    rethrow() {
      if (failure) throw failure.error;
    },
  };

  async function attemptIn(journal: Journal, entry: (journal: Journal) => Promise<void> | void): Promise<boolean> {
    const attempt = async () => {
      try {
        await entry(journal);
      } catch (error) {
        fail(error);
      }
    };
    const settlement = await bounded(attempt, { scope, timeout: Number.POSITIVE_INFINITY, grace });
    if (settlement.end === "aborted" && settlement.work === "pending") {
      const message = `The run was aborted, and the journal did not finish writing within ${grace} ms: its last entry may be missing.`;
      fail(new ToolError("journal_stalled", message, { grace }));
    }
    return failure === undefined;
  }
}

/** Milliseconds that an entry may take after the batch was aborted. */
const grace = 250;
