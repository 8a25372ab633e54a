import { DatabaseSync, type StatementSync } from "node:sqlite";
import { expect, it } from "vitest";
import { createDatabase } from "./database/database.ts";
import { databaseStore } from "./database-store.ts";
import { tables } from "./schema/tables.ts";

/** Scans of small tables, or scans that remove most of what they read. */
const mayScan = [/^SCAN search_scopes/, /^SCAN leases/];

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
  databaseStore(createDatabase(sqlite, ":memory:", 0), Date.now);
  const sources = sqlite.sources.filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE)/.test(sql));
  expect(sources.length).toBeGreaterThan(20);
  const slow = sources.flatMap((sql) =>
    explain(sqlite, sql)
      .filter((step) => /SCAN (conversations|events|batches|leases|profiles|search_scopes)\b/.test(step))
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
