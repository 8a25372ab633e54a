import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "@cogency/storage";
import { transaction } from "./transaction.ts";

/** "cogy", in the place in the file's header by which programs tell their databases. */
export const applicationId = 0x636f6779;

/** Written into the file; a change of the tables raises it and adds a migration. */
export const schemaVersion = 1;

/**
 * `user` and `name` are JSON text (`null` is the anonymous user), because SQLite's own text can hold neither lone
 * surrogates nor, for all of its functions, NUL: two different names must never become one. `position` rises with every
 * append of the user and gives the order of the list. `events` is the last sequence number.
 */
const tables = `
  CREATE TABLE conversations (
    id INTEGER PRIMARY KEY,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    title TEXT NOT NULL,
    events INTEGER NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    UNIQUE (user, name),
    UNIQUE (user, position)
  ) STRICT;

  CREATE TABLE events (
    conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (conversation, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE batches (
    conversation INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    result INTEGER NOT NULL,
    PRIMARY KEY (conversation, id)
  ) STRICT, WITHOUT ROWID;

  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/** Creates the tables in an empty database and refuses, without changing it, one that this version cannot use. */
export function prepareSchema(database: DatabaseSync, path: string): void {
  if (transaction(database, "DEFERRED", () => hasTables(database, path))) return;
  transaction(database, "IMMEDIATE", () => {
    // Another process may have been first.
    if (!hasTables(database, path)) database.exec(tables);
  });
}

/** Inside a transaction: what it reads must be of one moment. */
function hasTables(database: DatabaseSync, path: string): boolean {
  const application = numberOf(database, "PRAGMA application_id");
  const version = numberOf(database, "PRAGMA user_version");
  const objects = numberOf(database, "SELECT count(*) FROM sqlite_schema");
  if (application === 0 && version === 0 && objects === 0) return false;
  if (application !== applicationId || version < 1) {
    throw new StoreError(
      "corrupt",
      `${path} is another application's database. It was left alone; choose another path.`,
    );
  }
  if (version > schemaVersion) {
    throw new StoreError(
      "newer_schema",
      `${path} was written by a newer version (schema ${version}; this one reads up to ${schemaVersion}). Update @cogency/storage-sqlite.`,
    );
  }
  return true;
}

function numberOf(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}
