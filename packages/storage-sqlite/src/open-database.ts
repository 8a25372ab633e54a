import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { StoreError } from "@cogency/storage";
import { flush } from "./database/flush.ts";
import { isBusy, storeErrorOf } from "./database/store-error-of.ts";
import { prepareSchema } from "./schema/prepare-schema.ts";

/**
 * What an append that resolved survives: the end of the `process`, however it comes, or that of the whole machine too
 * (`power`).
 */
export type Durability = "process" | "power";

const memory = ":memory:";
/** Milliseconds between two attempts to open a busy database. */
const pause = 10;
/** Milliseconds that SQLite itself may wait, which blocks the event loop. */
const longestBlock = 4;

/**
 * A connection to the database at `path`, which has this version's tables. SQLite does not wait in every step of
 * creating a database and switching it to WAL, so a busy database is tried again here, without blocking.
 */
export async function openDatabase(
  path: string,
  { busyTimeout, durability }: { busyTimeout: number; durability: Durability },
): Promise<DatabaseSync> {
  const deadline = performance.now() + busyTimeout;
  for (;;) {
    try {
      return open(path, Math.min(busyTimeout, longestBlock), durability);
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw storeErrorOf(error, path);
    }
    await setTimeout(pause);
  }
}

/** `synchronous`: when SQLite asks the disk to have written what it was given. */
const synchronous = { process: "NORMAL", power: "FULL" };

function open(path: string, block: number, durability: Durability): DatabaseSync {
  // An absolute path: SQLite reads one that begins with "file:" as a URI.
  const file = path === memory ? memory : resolve(path);
  if (file !== memory) createFile(file, durability);
  const sqlite = new DatabaseSync(file, { defensive: true });
  try {
    // Before a migration: what it leaves behind is overwritten too.
    sqlite.exec(`
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA secure_delete = ON;
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
 * SQLite would create the file readable by everyone; what it puts beside it later gets the file's own mode. An existing
 * file is not opened: closing it would drop the locks that another store of this process has on it (fcntl).
 */
function createFile(file: string, durability: Durability): void {
  createFolder(dirname(file), durability);
  try {
    closeSync(openSync(file, "wx", 0o600));
    if (durability === "power") flush(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // What is in the way may be a link to nothing, and SQLite would create what it names.
    if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  }
}

/** Folder by folder: Node's recursive form never returns where nothing can be created, as below /proc. */
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

/** Only after the schema was found to be ours: the mode is written into the file. */
function switchToWal(sqlite: DatabaseSync, path: string): void {
  const row = sqlite.prepare("PRAGMA journal_mode = WAL").get();
  if (row?.journal_mode === "wal") return;
  throw new StoreError(
    "unavailable",
    `${path}: its file system gives SQLite no write-ahead log. Put the store on a local disk.`,
  );
}
