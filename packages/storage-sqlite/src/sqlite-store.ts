import type { Store } from "@cogency/storage";
import { createDatabase } from "./database/database.ts";
import { storeErrorOf } from "./database/store-error-of.ts";
import { databaseStore } from "./database-store.ts";
import type { Durability } from "./open-database.ts";
import { openDatabase } from "./open-database.ts";

export interface SqliteStoreOptions {
  /**
   * The database file. It is created, readable by its owner only, together with the folders it lacks. `":memory:"` is a
   * database of its own that ends with the store.
   */
  path: string;
  /**
   * Milliseconds that a call waits while another process writes, without blocking the event loop; 5,000 by default.
   */
  busyTimeout?: number | undefined;
  /**
   * What an append that resolved survives: `"process"`, the default, that the process is killed; `"power"` that the
   * machine fails too, for which every append waits for the disk.
   */
  durability?: Durability | undefined;
  /** Unix time in milliseconds, by which leases run out; the system's clock by default. */
  clock?: (() => number) | undefined;
}

/**
 * Opens the store in one SQLite file, which several processes may have open at once. A file of an older version is
 * brought to this one; it is kept as it was beside it, as `<path>.schema-<version>`.
 *
 * @throws StoreError `unavailable` for a path that cannot be opened or created, or that stays locked; `corrupt` for a
 * file that is damaged, no SQLite database, another application's, or with anything in its schema that no store makes;
 * `newer_schema` for one that a newer version wrote; `full` if there is no room to create or to migrate it. An existing file keeps its content then.
 */
export async function sqliteStore({
  path,
  busyTimeout = 5_000,
  durability = "process",
  clock = Date.now,
}: SqliteStoreOptions): Promise<Store> {
  const sqlite = await openDatabase(path, { busyTimeout, durability });
  try {
    return databaseStore(createDatabase(sqlite, path, busyTimeout), clock);
  } catch (error) {
    sqlite.close();
    throw storeErrorOf(error, path);
  }
}
