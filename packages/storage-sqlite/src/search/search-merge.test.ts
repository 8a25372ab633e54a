import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { prepareTransaction } from "../database/transaction.ts";
import { eventPlace } from "../rows/event-place.ts";
import { prepareSearchMerge } from "./search-merge.ts";
import { prepareSearchTable } from "./search-table.ts";

it("leaves out words that were marked as removed, even if FTS5 keeps all data in one level below empty ones", () => {
  const { sqlite, add, mark, mergeAll } = searchTable();
  add(1, 200, "kept");
  // The second merge leaves levels without data below.
  mergeAll();
  mergeAll();
  // This segment is larger than the rest, so FTS5 moves all data to its level.
  add(2, 1_000, "other");
  add(3, 100, "zanzibarbarian");
  mark(3);
  expect(holds(sqlite, "anzibarbarian")).toBe(true);
  mergeAll();
  expect(holds(sqlite, "anzibarbarian")).toBe(false);
  expect(sqlite.prepare("SELECT count(*) AS count FROM search").get()).toEqual({ count: 1_200 });
  sqlite.close();
});

it.each([1, 2, 3, 4, 8])(
  "is complete only after all segments are merged, even if others are added %i times meanwhile",
  (times) => {
    const { sqlite, add, mark, begin, goOn, mergeAll } = searchTable();
    add(1, 3_000, "kept");
    add(2, 500, "zanzibarbarian");
    mergeAll();
    mark(2);
    begin();
    for (let log = 0; log < times; log++) add(10 + log, 5, "later");
    while (goOn());
    expect(holds(sqlite, "anzibarbarian")).toBe(false);
    expect(sqlite.prepare("SELECT count(*) AS count FROM search").get()).toEqual({ count: 3_000 + 5 * times });
    sqlite.close();
  },
);

it("merges any number of times", () => {
  const { sqlite, add, mark, mergeAll } = searchTable();
  add(1, 20, "kept");
  for (let round = 2; round < 100; round++) {
    add(round, 10, "zanzibarbarian");
    mark(round);
    mergeAll();
    expect(holds(sqlite, "anzibarbarian")).toBe(false);
  }
  expect(sqlite.prepare("SELECT count(*) AS count FROM search").get()).toEqual({ count: 20 });
  sqlite.close();
});

function searchTable() {
  const sqlite = new DatabaseSync(join(temporaryFolder(), "search.db"));
  sqlite.exec("PRAGMA secure_delete = ON");
  const transaction = prepareTransaction(sqlite);
  const table = prepareSearchTable(sqlite);
  table.make();
  const merge = prepareSearchMerge(sqlite);
  const insert = sqlite.prepare(`INSERT INTO search (rowid, words) VALUES (${eventPlace("?", "?")}, ?)`);
  const begin = () => transaction("IMMEDIATE", merge.begin);
  const goOn = () => transaction("IMMEDIATE", merge.goOn);

  return {
    sqlite,
    begin,
    goOn,
    mergeAll(): void {
      begin();
      while (goOn());
      sqlite.exec("INSERT INTO search (search) VALUES ('integrity-check')");
    },
    /** Events with ten words each that no other event has. */
    add(conversation: number, events: number, word: string): void {
      transaction("IMMEDIATE", () => {
        for (let seq = 1; seq <= events; seq++) {
          const words = Array.from({ length: 10 }, (_, part) => `${word}${conversation}x${seq}x${part}`);
          insert.run(conversation, seq, words.join(" "));
        }
      });
    },
    mark(conversation: number): void {
      transaction("IMMEDIATE", () => table.mark(conversation, table.someOf(conversation, 1_000)));
    },
  };
}

/** Whether any data of FTS5 contains these letters. */
function holds(sqlite: DatabaseSync, letters: string): boolean {
  const statement = sqlite.prepare(`
    SELECT 1 FROM search_data WHERE instr(block, CAST($letters AS BLOB))
    UNION ALL SELECT 1 FROM search_idx WHERE instr(term, CAST($letters AS BLOB)) LIMIT 1`);
  return statement.get({ letters }) !== undefined;
}
