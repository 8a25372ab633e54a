import { realpathSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreError } from "@cogency/storage";
import { isNotWritable } from "./database/store-error-of.ts";
import { prepareSchema } from "./schema/prepare-schema.ts";

/**
 * Opens an existing database to be read only. SQLite needs the files beside a database even to read it: they are there
 * while another process has it open. Otherwise it must be opened as immutable, which skips the write-ahead log, so the log
 * must have nothing in it. Such a connection does not see what is written later: the file guard refuses the file then.
 *
 * @param block milliseconds that SQLite may wait, which blocks the event loop
 * @throws StoreError `unavailable` if a killed process has left a log, which only a database that can be written takes in
 */
export function openReadOnly(path: string, block: number): DatabaseSync {
  const file = realpathSync(path);
  try {
    return openAt(file, file, path, block);
  } catch (error) {
    if (!isNotWritable(error)) throw error;
  }
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new StoreError(
      "unavailable",
      `${path} cannot be read without writing: a process that was killed left its last events in ${path}-wal. Free space on its disk and check who may write there, or copy both files to another folder and open the copy.`,
    );
  }
  return openAt(`${pathToFileURL(file).href}?immutable=1`, file, path, block);
}

function openAt(location: string, file: string, path: string, block: number): DatabaseSync {
  const sqlite = new DatabaseSync(location, { readOnly: true, defensive: true });
  try {
    sqlite.exec(`
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA query_only = ON;
      PRAGMA busy_timeout = ${Math.max(0, Math.trunc(block))};
    `);
    prepareSchema(sqlite, file, path);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
