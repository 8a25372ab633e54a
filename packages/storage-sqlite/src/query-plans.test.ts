import { DatabaseSync, type StatementSync } from "node:sqlite";
import { expect, it } from "vitest";
import { createConnection } from "./connection.ts";
import { databaseStore } from "./database-store.ts";
import { tables } from "./tables.ts";

/** Small tables, or work that is as large as what it removes. */
const mayScan = [/^SCAN search_scopes/, /^SCAN leases/];

class RecordingDatabase extends DatabaseSync {
  readonly sources: string[] = [];

  override prepare(sql: string): StatementSync {
    this.sources?.push(sql);
    return super.prepare(sql);
  }
}

it("every statement of the store goes to its place: none scans a table or sorts a log", () => {
  const database = new RecordingDatabase(":memory:");
  database.exec(tables);
  databaseStore(createConnection(database, ":memory:", 0), Date.now);
  const sources = database.sources.filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE)/.test(sql));
  expect(sources.length).toBeGreaterThan(20);
  const slow = sources.flatMap((sql) =>
    explain(database, sql)
      .filter((step) => /SCAN (conversations|events|batches|leases|profiles|search_scopes)\b/.test(step))
      .filter((step) => !mayScan.some((pattern) => pattern.test(step)))
      .map((step) => `${step}: ${sql}`),
  );
  expect(slow).toEqual([]);
  database.close();
});

function explain(database: DatabaseSync, sql: string): string[] {
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail));
}
