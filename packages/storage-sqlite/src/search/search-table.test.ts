import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { eventPlace } from "../rows/event-place.ts";
import { prepareSearchTable } from "./search-table.ts";

it("returns few long events at once, but at least one", () => {
  const sqlite = new DatabaseSync(":memory:");
  const table = prepareSearchTable(sqlite);
  table.make();
  const insert = sqlite.prepare(`INSERT INTO search (rowid, words) VALUES (${eventPlace("?", "?")}, ?)`);
  for (let seq = 1; seq <= 20; seq++) {
    insert.run(1, seq, "short");
    insert.run(2, seq, "medlar ".repeat(1_000));
    insert.run(3, seq, "quince ".repeat(100_000));
  }
  expect([1, 2, 3].map((conversation) => table.someOf(conversation, 10).length)).toEqual([10, 3, 1]);
  expect(table.someOf(3, 1)).toEqual([1]);
  sqlite.close();
});
