import { StoreError } from "@cogency/storage";
import type { Pool } from "../database/connect.ts";
import { damaged } from "../database/damaged.ts";
import { quoteIdentifier } from "../database/quote.ts";
import { inTransaction } from "../database/transaction.ts";
import { definitions, schemaVersion } from "./definitions.ts";

export interface PrepareOptions {
  schema: string;
  migrate: boolean;
  /** The location of the store, for messages. */
  location: string;
  /** Ends the wait for other processes that prepare it. */
  signal: AbortSignal;
}

/** What a store needs to know of its schema. */
export interface Prepared {
  /** A secret of all who may read the tables. */
  liveKey: Buffer;
}

/**
 * Creates the tables and functions in an empty schema and upgrades those of an earlier version, unless `migrate` is false.
 * Refuses a schema that this version cannot use, without changing it.
 */
export async function prepareSchema(
  pool: Pool,
  { schema, migrate, location, signal }: PrepareOptions,
): Promise<Prepared> {
  await prepare(pool, { schema, migrate, location, signal });
  const [[key] = []] = await pool.query(`SELECT encode(key, 'hex') FROM ${quoteIdentifier(schema)}.live_key`, []);
  if (typeof key !== "string" || key.length < 64) throw damaged(location, "it has no key for live pieces");
  return { liveKey: Buffer.from(key, "hex") };
}

async function prepare(pool: Pool, { schema, migrate, location, signal }: PrepareOptions): Promise<void> {
  const version = await versionOf(pool.query, schema, location);
  if (version === schemaVersion) return;
  if (!migrate) {
    const problem =
      version === undefined ? "is not prepared" : `has schema ${version}, and this version needs ${schemaVersion}`;
    throw new StoreError(
      "unavailable",
      `${location} ${problem}. Have an administrator run the SQL of \`schemaScript\`, or open the store with \`migrate: true\`.`,
    );
  }
  await inTransaction(
    pool,
    async (query) => {
      await query("SET LOCAL client_min_messages = warning", []);
      // Only one process prepares the schema, others wait. The lock ends with the transaction.
      await query("SELECT pg_advisory_xact_lock(hashtextextended('cogency ' || $1, 0))", [schema]);
      if ((await versionOf(query, schema, location)) === schemaVersion) return;
      await query(definitions(schema), []);
    },
    signal,
  );
}

/** Returns the version of the schema; undefined if it is empty. */
async function versionOf(query: Pool["query"], schema: string, location: string): Promise<number | undefined> {
  const tables = await tablesIn(query, schema);
  if (tables.length === 0) return undefined;
  if (!tables.includes(versionTable)) {
    throw new StoreError(
      "corrupt",
      `${location} belongs to another application. It was not changed; choose another \`schema\`.`,
    );
  }
  const [[found] = []] = await query(`SELECT max(version) FROM ${quoteIdentifier(schema)}.${versionTable}`, []);
  const version = Number(found);
  if (version > schemaVersion) {
    throw new StoreError(
      "newer_schema",
      `${location} was written by a newer version (schema ${version}; this one reads up to ${schemaVersion}). Update @cogency/storage-postgres.`,
    );
  }
  if (!(version >= 1)) throw damaged(location, "it has no version");
  return version;
}

/**
 * Queries the catalog tables: functions such as to_regclass do not see tables that were created after the transaction
 * began.
 */
async function tablesIn(query: Pool["query"], schema: string): Promise<unknown[]> {
  const statement = `SELECT c.relname FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'v', 'm', 'p', 'f')`;
  const rows = await query(statement, [schema]);
  return rows.map(([table]) => table);
}

const versionTable = "cogency_version";
