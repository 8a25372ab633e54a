import type { Store } from "@cogency/storage";
import { databaseStore } from "./database-store.ts";
import { openDatabase } from "./open-database.ts";

export interface SqliteStoreOptions {
  /**
   * The database file. It is created, readable by its owner only, together with the folders it lacks. `":memory:"` is a
   * database of its own that ends with the store.
   */
  path: string;
  /**
   * Milliseconds that a call waits while another process writes; 5,000 by default. Except while opening, the wait blocks
   * the event loop.
   */
  busyTimeout?: number | undefined;
}

/**
 * Opens the store in one SQLite file, which several processes may have open at once.
 *
 * @throws StoreError `unavailable` for a path that cannot be opened or created, or that stays locked; `corrupt` for a
 * file that is damaged, no SQLite database, or another application's; `newer_schema` for one that a newer version
 * wrote; `full` if there is no room to create it. An existing file keeps its content then.
 */
export async function sqliteStore({ path, busyTimeout = 5_000 }: SqliteStoreOptions): Promise<Store> {
  const database = await openDatabase(path, busyTimeout);
  try {
    return databaseStore(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
}
