import { DatabaseSync, type StatementSync } from "node:sqlite";
import { expect, it } from "vitest";
import { createDatabase } from "./database/database.ts";
import { databaseStore } from "./database-store.ts";
import { tables } from "./schema/tables.ts";

/** Scans of small tables: leases, claims and slots are those of what is being worked on. */
const mayScan = [/^SCAN search_(scopes|leftovers)/, /^SCAN (leases|claims|slots)\b/];
const tableNames = Array.from(tables.matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name);

class RecordingDatabase extends DatabaseSync {
  readonly sources: string[] = [];

  override prepare(sql: string): StatementSync {
    this.sources?.push(sql);
    return super.prepare(sql);
  }
}

it("no statement of the store scans a table or sorts a log", () => {
  const sqlite = new RecordingDatabase(":memory:");
  sqlite.exec(tables);
  databaseStore(createDatabase(sqlite, ":memory:", { busyTimeout: 0 }), Date.now);
  const sources = sqlite.sources.filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE)/.test(sql));
  expect(tableNames).toContain("message_ids");
  expect(sources.length).toBeGreaterThan(60);
  const slow = sources.flatMap((sql) =>
    explain(sqlite, sql)
      .filter((step) => new RegExp(`SCAN (${tableNames.join("|")})\\b`).test(step))
      .filter((step) => !mayScan.some((pattern) => pattern.test(step)))
      .map((step) => `${step}: ${sql}`),
  );
  expect(slow).toEqual([]);
  sqlite.close();
});

function explain(sqlite: DatabaseSync, sql: string): string[] {
  return sqlite
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
}
