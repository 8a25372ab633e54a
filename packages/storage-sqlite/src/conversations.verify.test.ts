import { DatabaseSync, type StatementSync } from "node:sqlite";
import { expect, it } from "vitest";
import { createDatabase } from "./database/database.ts";
import { databaseStore } from "./database-store.ts";
import { eventChecksum, rowChecksum } from "./rows/checksum.ts";
import { eventPlace } from "./rows/event-place.ts";
import { nameText, userText } from "./rows/names.ts";
import { tables } from "./schema/tables.ts";

/** Counts the statements that run, and the rows that they give. */
class CountingDatabase extends DatabaseSync {
  statements = 0;
  rows = 0;

  override prepare(sql: string): StatementSync {
    const statement = super.prepare(sql);
    for (const method of ["run", "get", "all", "iterate"] as const) {
      const original = statement[method] as (...args: unknown[]) => unknown;
      Object.assign(statement, {
        [method]: (...args: unknown[]) => {
          this.statements++;
          return this.#counted(original.apply(statement, args));
        },
      });
    }
    return statement;
  }

  #counted(result: unknown): unknown {
    if (Array.isArray(result)) this.rows += result.length;
    return isIterator(result) ? this.#countedRows(result) : result;
  }

  *#countedRows(rows: Iterable<unknown>): Generator<unknown> {
    for (const row of rows) {
      this.rows++;
      yield row;
    }
  }
}

function isIterator(value: unknown): value is IterableIterator<unknown> {
  return typeof value === "object" && value !== null && "next" in value;
}

/** Writes the rows of conversations with one event each, as the store does; it would take longer than the list. */
function fill(sqlite: DatabaseSync, count: number): void {
  const addConversation = sqlite.prepare("INSERT INTO conversations VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const addEvent = sqlite.prepare(
    `INSERT INTO events (place, type, event, checksum) VALUES (${eventPlace("?", "1")}, ?, ?, ?)`,
  );
  const event = JSON.stringify({ type: "respond", content: "", timestamp: 1 });
  sqlite.exec("BEGIN");
  for (let id = 1; id <= count; id++) {
    const row = [userText(undefined), nameText(`c${id}`)] as const;
    addConversation.run(id, ...row, id, "", 1, rowChecksum(...row, "", 1), 0);
    addEvent.run(id, "respond", event, eventChecksum(id, event));
  }
  sqlite.exec("COMMIT");
}

it("50,000 conversations are listed in pages, each of one statement in a transaction and of as many rows as it has conversations", async () => {
  const count = 50_000;
  const sqlite = new CountingDatabase(":memory:");
  sqlite.exec(tables);
  fill(sqlite, count);
  const store = databaseStore(createDatabase(sqlite, ":memory:", { busyTimeout: 0 }), Date.now);
  const listed: string[] = [];
  for (let before: string | undefined, isOver = false; !isOver; before = listed.at(-1)) {
    sqlite.statements = sqlite.rows = 0;
    const page = await store.conversations({ limit: 500, before });
    expect(sqlite.rows).toBe(page.length);
    expect(sqlite.statements).toBe(3);
    listed.push(...page.map(({ conversation }) => conversation));
    isOver = page.length === 0;
  }
  expect(listed).toEqual(Array.from({ length: count }, (_, index) => `c${count - index}`));
  await store.close();
});
