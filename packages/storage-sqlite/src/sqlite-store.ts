import type { DatabaseSync } from "node:sqlite";
import {
  atLeast,
  callback,
  checkOptions,
  flag,
  type OptionTable,
  oneOf,
  required,
  text,
} from "@cogency/protocol/options";
import type { Store } from "@cogency/storage";
import { checkedStore, type LiveHub, liveHub } from "@cogency/storage/adapter";
import { createDatabase } from "./database/database.ts";
import { storeErrorOf } from "./database/store-error-of.ts";
import { databaseStore } from "./database-store.ts";
import { fileHub } from "./live/file-hub.ts";
import type { Durability } from "./open-database.ts";
import { memory, openDatabase } from "./open-database.ts";

export interface SqliteStoreOptions {
  /**
   * The database file. A missing file and missing folders are created, with access for their owner only. `":memory:"`
   * opens a separate database that ends with the store.
   */
  path: string;
  /**
   * Milliseconds that a call waits while another process writes, without blocking the event loop. Defaults to 5,000.
   */
  busyTimeout?: number | undefined;
  /**
   * What a resolved append survives: with `"process"`, the default, a killed process; with `"power"` also a failure of
   * the machine, because every append waits for the disk.
   */
  durability?: Durability | undefined;
  /**
   * Whether a file that cannot be written is opened to be read only: on a disk that is full or read-only, or without the
   * right to write. Every call that writes then throws `unavailable`. Defaults to false, which throws `full` or
   * `unavailable` instead of opening it.
   */
  readOnlyIfNeeded?: boolean | undefined;
  /**
   * The largest file, in bytes, that `delete`, `deleteProfile` and `saveProfile` with `erase` rewrite, so that no byte of what was deleted remains in it. It
   * takes about a second per 100 MB, in which nobody else can write, and as much memory as the file has bytes. In a larger file
   * the unused part of a page can, rarely, keep a piece. Defaults to 100,000,000; 0 rewrites none.
   */
  rewriteUpTo?: number | undefined;
  /**
   * Returns Unix time in milliseconds: leases, claims and slots expire by it, and messages and timers come due by it. Defaults
   * to `Date.now`.
   */
  clock?: (() => number) | undefined;
}

/**
 * Opens a store in one SQLite file, which several processes may have open at once. Migrates a file of an older version,
 * and keeps a copy of the old file as `<path>.schema-<version>`.
 *
 * @throws StoreError `unavailable` for a path that cannot be opened or created, or that stays locked; `corrupt` for a
 * file that is damaged, is no SQLite database, belongs to another application or contains foreign objects;
 * `newer_schema` for a file that a newer version wrote; `full` if the disk has no space to create or migrate the file.
 * An existing file then keeps its content.
 * @throws TypeError for an unknown option or one of a wrong type; RangeError for a value out of its range
 */
export async function sqliteStore(options: SqliteStoreOptions): Promise<Store> {
  checkOptions("sqliteStore", options, optionKinds);
  const { path, busyTimeout = 5_000, durability = "process", readOnlyIfNeeded = false } = options;
  const { rewriteUpTo = 100_000_000, clock = Date.now } = options;
  const sqlite = await openDatabase(path, { busyTimeout, durability, readOnlyIfNeeded });
  try {
    const database = createDatabase(sqlite, path, { busyTimeout, rewriteUpTo });
    return checkedStore(databaseStore(database, clock, hubOf(sqlite, path)));
  } catch (error) {
    sqlite.close();
    throw storeErrorOf(error, path);
  }
}

/** Other processes share a file that is written to. */
function hubOf(sqlite: DatabaseSync, path: string): LiveHub {
  const isReadOnly = sqlite.prepare("PRAGMA query_only").get()?.query_only === 1;
  return path === memory || isReadOnly ? liveHub() : fileHub(path);
}

const optionKinds: OptionTable<SqliteStoreOptions> = {
  path: required({ ...text, wanted: 'the path of the database file, or ":memory:"' }),
  busyTimeout: atLeast(0, "milliseconds"),
  durability: oneOf("process", "power"),
  readOnlyIfNeeded: flag,
  rewriteUpTo: atLeast(0, "bytes"),
  clock: callback,
};
