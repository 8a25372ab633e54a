import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { StoreError } from "@cogency/storage";
import { flush } from "./database/flush.ts";
import { isBusy, isNotWritable, storeErrorOf } from "./database/store-error-of.ts";
import { openReadOnly } from "./open-read-only.ts";
import { prepareSchema } from "./schema/prepare-schema.ts";

/**
 * What a resolved append survives: `process`, the end of the process by any cause; `power`, also a failure of the
 * machine.
 */
export type Durability = "process" | "power";

/** The path of a database that is not in a file. */
export const memory = ":memory:";
/** Milliseconds between two attempts to open a busy database. */
const pause = 10;
/** Milliseconds that SQLite itself may wait, which blocks the event loop. */
const longestBlock = 4;

/**
 * Opens the database at `path` and brings its tables to this version. SQLite does not wait in every step of creating a
 * database and switching it to WAL, so this function retries while the database is busy, without blocking.
 */
export async function openDatabase(
  path: string,
  {
    busyTimeout,
    durability,
    readOnlyIfNeeded = false,
  }: { busyTimeout: number; durability: Durability; readOnlyIfNeeded?: boolean },
): Promise<DatabaseSync> {
  const deadline = performance.now() + busyTimeout;
  const block = Math.min(busyTimeout, longestBlock);
  for (;;) {
    try {
      return openOnce(path, block, durability, readOnlyIfNeeded);
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw storeErrorOf(error, path);
    }
    await setTimeout(pause);
  }
}

/** SQLite's `synchronous`: FULL waits for the disk at every commit, NORMAL does not. */
const synchronous = { process: "NORMAL", power: "FULL" };

function openOnce(path: string, block: number, durability: Durability, readOnlyIfNeeded: boolean): DatabaseSync {
  try {
    return open(path, block, durability);
  } catch (error) {
    if (!readOnlyIfNeeded || !isNotWritable(error) || !existsSync(path)) throw error;
    return openReadOnly(path, block);
  }
}

function open(path: string, block: number, durability: Durability): DatabaseSync {
  // An absolute path: SQLite reads one that begins with "file:" as a URI.
  const file = path === memory ? memory : resolve(path);
  if (file !== memory) createFile(file, durability);
  const sqlite = new DatabaseSync(file, { defensive: true });
  try {
    // Set before a migration, so that `secure_delete` overwrites what the migration removes. Without `temp_store`, SQLite writes
    // what it sorts and rewrites to files in the temporary folder of the machine.
    sqlite.exec(`
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA synchronous = ${synchronous[durability]};
      PRAGMA fullfsync = ${durability === "power"};
      PRAGMA checkpoint_fullfsync = ${durability === "power"};
      PRAGMA busy_timeout = ${Math.max(0, Math.trunc(block))};
    `);
    prepareSchema(sqlite, file, path);
    if (file !== memory) switchToWal(sqlite, path);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * Creates the file with mode 0600; SQLite would make it readable by everyone. SQLite gives the files beside it the same
 * mode. An existing file must not be opened here: closing it would drop the locks of other stores in this process
 * (fcntl).
 */
function createFile(file: string, durability: Durability): void {
  createFolder(dirname(file), durability);
  try {
    closeSync(openSync(file, "wx", 0o600));
    if (durability === "power") flush(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // The path may be a dangling link, and SQLite would create its target.
    if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  }
}

/** Creates one folder at a time: Node's recursive form never returns where nothing can be created, such as in /proc. */
function createFolder(folder: string, durability: Durability): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder), durability);
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (durability === "power") flush(dirname(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Must be called after the schema was checked: it writes the mode into the file. */
function switchToWal(sqlite: DatabaseSync, path: string): void {
  const row = sqlite.prepare("PRAGMA journal_mode = WAL").get();
  if (row?.journal_mode === "wal") return;
  throw new StoreError(
    "unavailable",
    `${path}: its file system does not support SQLite's write-ahead log. Put the store on a local disk.`,
  );
}
