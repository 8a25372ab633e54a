import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { StoreError } from "@cogency/storage";
import { prepareSchema } from "./schema.ts";
import { isBusy, storeErrorOf } from "./store-error-of.ts";

const memory = ":memory:";
/** Milliseconds between two attempts to open a busy database. */
const pause = 10;
/** SQLite keeps the timeout in 32 bits. */
const longest = 2 ** 31 - 1;

/**
 * A connection to the database at `path`, which has this version's tables. SQLite does not wait in every step of
 * creating a database and switching it to WAL, so a busy database is tried again here, without blocking.
 */
export async function openDatabase(path: string, busyTimeout: number): Promise<DatabaseSync> {
  const deadline = performance.now() + busyTimeout;
  for (;;) {
    try {
      return open(path, busyTimeout);
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw storeErrorOf(error, path);
    }
    await setTimeout(pause);
  }
}

function open(path: string, busyTimeout: number): DatabaseSync {
  // An absolute path: SQLite reads one that begins with "file:" as a URI.
  const file = path === memory ? memory : resolve(path);
  if (file !== memory) createFile(file);
  const database = new DatabaseSync(file);
  try {
    prepareSchema(database, path);
    if (file !== memory) switchToWal(database, path);
    database.exec(`
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
      PRAGMA busy_timeout = ${Math.min(Math.max(0, Math.trunc(busyTimeout)), longest)};
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * SQLite would create the file readable by everyone; what it puts beside it later gets the file's own mode. An existing
 * file is not opened: closing it would drop the locks that another store of this process has on it (fcntl).
 */
function createFile(file: string): void {
  createFolder(dirname(file));
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // What is in the way may be a link to nothing, and SQLite would create what it names.
    if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  }
}

/** Folder by folder: Node's recursive form never returns where nothing can be created, as below /proc. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Only after the schema was found to be ours: the mode is written into the file. */
function switchToWal(database: DatabaseSync, path: string): void {
  const row = database.prepare("PRAGMA journal_mode = WAL").get();
  if (row?.journal_mode === "wal") return;
  throw new StoreError(
    "unavailable",
    `${path}: its file system gives SQLite no write-ahead log. Put the store on a local disk.`,
  );
}
