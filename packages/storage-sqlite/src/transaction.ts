import type { DatabaseSync } from "node:sqlite";

/**
 * Runs `work` in a transaction: what it wrote is there when it returns, and not if it throws. `IMMEDIATE` takes the
 * write lock at the start, so that no other process can write between what `work` reads and what it writes.
 */
export function transaction<T>(database: DatabaseSync, mode: "DEFERRED" | "IMMEDIATE", work: () => T): T {
  database.exec(`BEGIN ${mode}`);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // After some errors, a full disk among them, SQLite has rolled back by itself and there is no transaction left.
  }
}
