import { StoreError } from "@cogency/storage";
import type { Sql } from "postgres";
import { damaged } from "../database/damaged.ts";
import { quoteIdentifier } from "../database/quote.ts";
import { rowsOf } from "../database/rows-of.ts";
import { definitions, schemaVersion } from "./tables.ts";

/**
 * Creates the tables and functions in an empty schema, unless `migrate` is false. Refuses a schema that this version
 * cannot use, without changing it.
 *
 * @param location the location of the store, for messages
 */
export async function prepareSchema(sql: Sql, schema: string, migrate: boolean, location: string): Promise<void> {
  if (await isReady(sql, schema, location)) return;
  if (!migrate) {
    throw new StoreError(
      "unavailable",
      `${location} is not prepared. Have an administrator run the SQL of \`schemaScript\`, or open the store with \`migrate: true\`.`,
    );
  }
  await sql.begin(async (transaction) => {
    await transaction.unsafe("SET LOCAL client_min_messages = warning");
    // Only one process prepares the schema, others wait. The lock ends with the transaction.
    await transaction.unsafe("SELECT pg_advisory_xact_lock(hashtextextended('cogency ' || $1, 0))", [schema]);
    if (await isReady(transaction, schema, location)) return;
    await transaction.unsafe(definitions(schema));
  });
}

async function isReady(sql: Pick<Sql, "unsafe">, schema: string, location: string): Promise<boolean> {
  const tables = await tablesIn(sql, schema);
  if (tables.length === 0) return false;
  if (!tables.includes(versionTable)) {
    throw new StoreError(
      "corrupt",
      `${location} belongs to another application. It was not changed; choose another \`schema\`.`,
    );
  }
  const [[found] = []] = await rowsOf(
    sql.unsafe(`SELECT max(version) FROM ${quoteIdentifier(schema)}.${versionTable}`),
  );
  const version = Number(found);
  if (version > schemaVersion) {
    throw new StoreError(
      "newer_schema",
      `${location} was written by a newer version (schema ${version}; this one reads up to ${schemaVersion}). Update @cogency/storage-postgres.`,
    );
  }
  if (version !== schemaVersion) throw damaged(location, "it has no version");
  return true;
}

/**
 * Queries the catalog tables: functions such as to_regclass do not see tables that were created after the transaction
 * began.
 */
async function tablesIn(sql: Pick<Sql, "unsafe">, schema: string): Promise<unknown[]> {
  const statement = `SELECT c.relname FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'v', 'm', 'p', 'f')`;
  const rows = await rowsOf(sql.unsafe(statement, [schema], { prepare: true }));
  return rows.map(([table]) => table);
}

const versionTable = "cogency_version";
