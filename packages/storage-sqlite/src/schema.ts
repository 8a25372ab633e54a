import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "@cogency/storage";
import { refuseForeignObjects } from "./foreign-objects.ts";
import { keepCopy } from "./migrations/keep-copy.ts";
import { migrateToSchema2 } from "./migrations/to-schema-2.ts";
import { applicationId, schemaVersion, tables } from "./tables.ts";
import { prepareTransaction } from "./transaction.ts";

/**
 * Creates the tables in an empty database, brings an older one to this version, and refuses, without changing it, one
 * that this version cannot use. `file` is the absolute path, `path` what messages call it.
 */
export function prepareSchema(database: DatabaseSync, file: string, path: string): void {
  const transaction = prepareTransaction(database);
  const isReady = () => {
    if (versionOf(database, path) !== schemaVersion) return false;
    refuseForeignObjects(database, path);
    return true;
  };
  if (transaction("DEFERRED", isReady)) return;
  transaction("IMMEDIATE", () => {
    // Another process may have been first.
    const version = versionOf(database, path);
    if (version === 0) database.exec(tables);
    else if (version < schemaVersion) {
      keepCopy(file, version);
      migrateToSchema2(database, path);
    }
    refuseForeignObjects(database, path);
  });
}

/** 0 for an empty database. Inside a transaction: what it reads must be of one moment. */
function versionOf(database: DatabaseSync, path: string): number {
  const application = numberOf(database, "PRAGMA application_id");
  const version = numberOf(database, "PRAGMA user_version");
  const objects = numberOf(database, "SELECT count(*) FROM sqlite_schema");
  if (application === 0 && version === 0 && objects === 0) return 0;
  if (application !== applicationId || version < 1) {
    throw new StoreError(
      "corrupt",
      `${path} is another application's database. It was left alone; choose another path.`,
    );
  }
  if (numberOf(database, "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')") > 0) {
    throw new StoreError("corrupt", `${path} holds a trigger or a view, which no store makes. Choose another path.`);
  }
  if (version > schemaVersion) {
    throw new StoreError(
      "newer_schema",
      `${path} was written by a newer version (schema ${version}; this one reads up to ${schemaVersion}). Update @cogency/storage-sqlite.`,
    );
  }
  return version;
}

function numberOf(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0]);
}
