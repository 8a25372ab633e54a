import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "@cogency/storage";
import { prepareTransaction } from "../database/transaction.ts";
import { refuseForeignObjects } from "./foreign-objects.ts";
import { keepCopy } from "./migrations/keep-copy.ts";
import { migrateToSchema2 } from "./migrations/to-schema-2.ts";
import { migrateToSchema3 } from "./migrations/to-schema-3.ts";
import { applicationId, schemaVersion, tables } from "./tables.ts";

/**
 * Creates the tables in an empty database and migrates an older one. Refuses a database that this version cannot use,
 * without changing it.
 *
 * @param file the absolute path
 * @param path the path for messages
 */
export function prepareSchema(sqlite: DatabaseSync, file: string, path: string): void {
  const transaction = prepareTransaction(sqlite);
  const isReady = () => {
    if (versionOf(sqlite, path) !== schemaVersion) return false;
    refuseForeignObjects(sqlite, path);
    return true;
  };
  if (transaction("DEFERRED", isReady)) return;
  transaction("IMMEDIATE", () => {
    // Another process may have created or migrated the tables in the meantime.
    const version = versionOf(sqlite, path);
    if (version === 0) sqlite.exec(tables);
    else if (version < schemaVersion) {
      keepCopy(file, version);
      for (const migrate of migrations.slice(version - 1)) migrate(sqlite, path);
    }
    refuseForeignObjects(sqlite, path);
  });
}

/** The first migrates from schema 1 to schema 2, the next from there on. */
const migrations: ((sqlite: DatabaseSync, path: string) => void)[] = [migrateToSchema2, migrateToSchema3];

/** Returns 0 for an empty database. Must be called inside a transaction, so that its reads agree. */
function versionOf(sqlite: DatabaseSync, path: string): number {
  const application = numberOf(sqlite, "PRAGMA application_id");
  const version = numberOf(sqlite, "PRAGMA user_version");
  const objects = numberOf(sqlite, "SELECT count(*) FROM sqlite_schema");
  if (application === 0 && version === 0 && objects === 0) return 0;
  if (application !== applicationId || version < 1) {
    throw new StoreError(
      "corrupt",
      `${path} is another application's database. It was not changed; choose another path.`,
    );
  }
  if (numberOf(sqlite, "SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')") > 0) {
    throw new StoreError(
      "corrupt",
      `${path} contains a trigger or a view, which no store creates. Choose another path.`,
    );
  }
  if (version > schemaVersion) {
    throw new StoreError(
      "newer_schema",
      `${path} was written by a newer version (schema ${version}; this one reads up to ${schemaVersion}). Update @cogency/storage-sqlite.`,
    );
  }
  return version;
}

function numberOf(sqlite: DatabaseSync, query: string): number {
  return Number(Object.values(sqlite.prepare(query).get() ?? {})[0]);
}
