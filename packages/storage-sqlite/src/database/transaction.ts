import type { DatabaseSync, StatementSync } from "node:sqlite";

/**
 * Runs `work` in a transaction, commits when it returns, and rolls back when it throws. `IMMEDIATE` takes the write
 * lock at the start, so that no other process can write between the reads and the writes of `work`.
 */
export type Transaction = <T>(mode: "DEFERRED" | "IMMEDIATE", work: () => T) => T;

export function prepareTransaction(sqlite: DatabaseSync): Transaction {
  const begin = {
    DEFERRED: sqlite.prepare("BEGIN DEFERRED"),
    IMMEDIATE: sqlite.prepare("BEGIN IMMEDIATE"),
  };
  const commit = sqlite.prepare("COMMIT");
  const rollBack = sqlite.prepare("ROLLBACK");
  return (mode, work) => {
    begin[mode].run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      attempt(rollBack);
      throw error;
    }
  };
}

function attempt(rollBack: StatementSync): void {
  try {
    rollBack.run();
  } catch {
    // After some errors, such as a full disk, SQLite has already rolled back.
  }
}
