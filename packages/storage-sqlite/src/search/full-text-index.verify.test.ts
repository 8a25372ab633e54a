import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import type { Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { otherProcess } from "../../test/support/other-process.ts";
import { said } from "../../test/support/samples.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { sqliteStore } from "../sqlite-store.ts";

const anonymous = { user: undefined, limit: Number.POSITIVE_INFINITY };

describe("the full-text index", () => {
  it("contains every event once when several stores fill it at the same time", async () => {
    const path = join(temporaryFolder(), "store.db");
    const stores = await Promise.all([1, 2, 3].map(() => sqliteStore({ path })));
    const [store] = stores as [Store];
    for (let log = 0; log < 30; log++) {
      await store.append({ conversation: `c${log}` }, [said(`quince ${log}`), ...filling(40)]);
    }
    const found = await Promise.all(stores.map((one) => one.search("quince", anonymous)));
    for (const matches of found)
      expect(conversationsOf(matches)).toEqual(Array.from({ length: 30 }, (_, log) => `c${log}`).sort());
    const other = new DatabaseSync(path);
    expect(other.prepare("SELECT count(*) AS count FROM search").get()).toEqual({ count: 30 * 41 });
    other.exec("INSERT INTO search (search) VALUES ('integrity-check')");
    other.close();
    await Promise.all(stores.map((one) => one.close()));
  });

  it("lets other stores write and the event loop run while it is filled", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    const other = await sqliteStore({ path });
    await store.append({ conversation: "long" }, [...filling(3_000), said("quince")]);
    const searched = store.search("quince", anonymous).then((matches) => {
      isSearched = true;
      return matches;
    });
    let isSearched = false;
    let appended = 0;
    for (; !isSearched; appended++) {
      await other.append({ conversation: "meanwhile" }, [said("x")]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(appended).toBeGreaterThan(5);
    expect(await searched).toMatchObject([{ conversation: "long", seq: 3_001 }]);
    await Promise.all([store.close(), other.close()]);
  });

  it("misses nothing when conversations are deleted and others are written to again", async () => {
    const store = await sqliteStore({ path: ":memory:" });
    for (const conversation of ["a", "b", "c"]) await store.append({ conversation }, [said(`quince ${conversation}`)]);
    expect(conversationsOf(await store.search("quince", anonymous))).toEqual(["a", "b", "c"]);
    await store.delete({ conversation: "b" });
    await store.delete({ conversation: "c" });
    await store.append({ conversation: "a" }, [said("medlar a")]);
    await store.append({ conversation: "d" }, [said("medlar d")]);
    expect(conversationsOf(await store.search("medlar", anonymous))).toEqual(["a", "d"]);
    expect(conversationsOf(await store.search("quince", anonymous))).toEqual(["a"]);
    await store.append({ conversation: "d" }, [said("loquat d")]);
    await store.append({ conversation: "a" }, [said("loquat a")]);
    expect(conversationsOf(await store.search("loquat", anonymous))).toEqual(["a", "d"]);
    await store.close();
  });

  it("keeps no byte of a deleted conversation", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    const user = "user-hidden";
    await store.append({ conversation: "c", user }, [said("zanzibarbarian and more")]);
    await store.append({ conversation: "kept" }, [said("pomegranate")]);
    expect(await store.search("zanzibarb", { user })).toHaveLength(1);
    expect(await store.search("pomegranate", anonymous)).toHaveLength(1);
    expect(isInFiles(path, "anzibarbarian")).toBe(true);
    await store.delete({ conversation: "c", user });
    for (const text of ["anzibarbarian", "user-hidden"]) expect(isInFiles(path, text)).toBe(false);
    expect(await store.search("zanzibarb", { user })).toEqual([]);
    expect(await store.search("pomegranate", anonymous)).toHaveLength(1);
    await store.close();
  });

  // How the rows fill the pages decides for which of these numbers SQLite leaves copies.
  it.each([
    { times: 1, others: 20 },
    { times: 1, others: 400 },
    { times: 40, others: 1 },
  ])("keeps no byte of deleted events that were moved beside others: $times to $others words", async (words) => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append({ conversation: "gone" }, repeated(300, "zanzibarbarian", words.times));
    await store.append({ conversation: "kept" }, repeated(600, "pomegranate", words.others));
    expect(await store.search("zanzibarb", anonymous)).toHaveLength(300);
    await store.delete({ conversation: "gone" });
    expect(isInFiles(path, "anzibarbarian")).toBe(false);
    expectOrder(path, 600);
    await store.close();
  });

  // Each share is removed by another method: see search-purge.ts.
  it.each([
    { events: 5, words: 1_000, rest: 6_000, of: "a few" },
    { events: 200, words: 10, rest: 6_000, of: "some" },
    { events: 600, words: 10, rest: 300, of: "most" },
  ])(
    "keeps no word of a deleted conversation that had $of of the events, not even at page borders, after any number of merges",
    async ({ events, words, rest }) => {
      const path = join(temporaryFolder(), "store.db");
      const store = await sqliteStore({ path });
      // The remaining words follow in the order of words, so the page with the first of them starts with a removed one.
      for (let log = 0; log < rest / 300; log++) {
        await store.append({ conversation: `c${log}` }, distinct(300, "zucchini"));
      }
      for (let round = 0; round < 2; round++) {
        await store.append({ conversation: "gone" }, distinct(events, "zanzibarbarian", words));
        expect(await store.search("zanzibarb", anonymous)).toHaveLength(Math.min(events, 500));
        await store.delete({ conversation: "gone" });
        expect(isInFiles(path, "anzibarbarian")).toBe(false);
        expect(await store.search("zucchini", anonymous)).toHaveLength(Math.min(rest, 500));
      }
      expectOrder(path, rest);
      await store.close();
    },
  );

  it("is purged by the next searches after a process was killed while it removed words", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append({ conversation: "kept" }, distinct(3_000, "zucchini"));
    for (let round = 1; round <= 8; round++) {
      await store.append({ conversation: "gone" }, distinct(400, "zanzibarbarian"));
      expect(await store.search("zanzibarb", anonymous)).toHaveLength(400);
      const other = otherProcess(path);
      await other.append({ conversation: "other" }, [said("ready")]);
      const deleted = other.delete({ conversation: "gone" }).catch(() => {});
      await setTimeout(Math.random() * 100);
      await other.signal("SIGKILL");
      await deleted;
      await store.delete({ conversation: "gone" });
      expect(await store.search("zanzibarb", anonymous)).toEqual([]);
    }
    await searchUntilAllIsRemoved(store, path);
    await store.append({ conversation: "other" }, [said("zucchini")]);
    expect(await store.search("zucchini", anonymous)).toHaveLength(500);
    expectOrder(path, 3_000 + 9);
    await store.close();
    expect(isInFiles(path, "anzibarbarian")).toBe(false);
  });

  it("misses nothing when another store deletes the larger part of the index while it is filled", async () => {
    const path = join(temporaryFolder(), "store.db");
    const [store, other] = await Promise.all([sqliteStore({ path }), sqliteStore({ path })]);
    for (let log = 0; log < 20; log++) await store.append({ conversation: `c${log}` }, [said(`quince ${log}`)]);
    await store.append({ conversation: "gone" }, filling(300));
    expect(await store.search("quince", anonymous)).toHaveLength(20);
    await store.append({ conversation: "long" }, filling(1_000));
    const searched = store.search("quince", anonymous);
    await new Promise((resolve) => setImmediate(resolve));
    await other.delete({ conversation: "gone" });
    expect(await searched).toHaveLength(20);
    for (const one of [store, other]) expect(await one.search("quince", anonymous)).toHaveLength(20);
    await Promise.all([store.close(), other.close()]);
  });

  it("neither returns words that still have to be removed nor waits for their removal", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append({ conversation: "large" }, filling(26_000));
    await store.append(
      { conversation: "gone" },
      Array.from({ length: 600 }, () => said("quince quince")),
    );
    await store.append({ conversation: "kept" }, [said("a quince stands among a few other words")]);
    expect(await store.search("quince", anonymous)).toHaveLength(500);
    const other = new DatabaseSync(path);
    other.exec(`
      INSERT INTO search_leftovers SELECT id FROM conversations WHERE name = '"gone"';
      DELETE FROM events WHERE conversation = (SELECT conversation FROM search_leftovers);
      DELETE FROM conversations WHERE name = '"gone"';
    `);
    expect(await store.search("quince", anonymous)).toMatchObject([{ conversation: "kept" }]);
    const unfinished = other.prepare("SELECT count(*) AS count FROM search_leftovers WHERE conversation > 0");
    expect(unfinished.get()).toEqual({ count: 1 });
    other.close();
    await store.close();
  });

  it("removes the words that a process left when it was killed after a delete", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append({ conversation: "kept" }, [...filling(400), said("quince")]);
    await store.append({ conversation: "gone" }, [said("zanzibarbarian"), said("zanzibarbarian again")]);
    expect(await store.search("zanzibarbarian", anonymous)).toHaveLength(2);
    const other = new DatabaseSync(path);
    other.exec(`
      PRAGMA secure_delete = ON;
      INSERT INTO search_leftovers SELECT id FROM conversations WHERE name = '"gone"';
      DELETE FROM events WHERE conversation = (SELECT conversation FROM search_leftovers);
      DELETE FROM conversations WHERE name = '"gone"';
    `);
    other.close();
    expect(await store.search("zanzibarbarian", anonymous)).toEqual([]);
    await searchUntilAllIsRemoved(store, path);
    expectOrder(path, 401);
    expect(await store.search("quince", anonymous)).toHaveLength(1);
    await store.close();
    expect(isInFiles(path, "anzibarbarian")).toBe(false);
  });

  it("keeps no byte of a small conversation among large ones, and finds the others after a large one is deleted", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append({ conversation: "large" }, filling(1_500));
    await store.append(
      { conversation: "small" },
      Array.from({ length: 60 }, () => said("zanzibarbarian")),
    );
    await store.append({ conversation: "other", user: "ada" }, [said("quince")]);
    expect(await store.search("zanzibarb", anonymous)).toHaveLength(60);
    expect(await store.search("quince", { user: "ada" })).toHaveLength(1);
    await store.delete({ conversation: "small" });
    expect(isInFiles(path, "anzibarbarian")).toBe(false);
    expect(await store.search("nobody", { user: undefined, limit: 1 })).toHaveLength(1);
    await store.delete({ conversation: "large" });
    expect(isInFiles(path, "nobody")).toBe(false);
    expect(await store.search("nobody", anonymous)).toEqual([]);
    expect(await store.search("quince", { user: "ada" })).toHaveLength(1);
    await store.close();
  });
});

function filling(count: number) {
  return Array.from({ length: count }, (_, index) => said(`The ${index}th of many words that nobody looks for.`));
}

function repeated(count: number, word: string, times: number) {
  return Array.from({ length: count }, (_, index) => said(`${word}${index} `.repeat(times)));
}

/** Events with words that no other event has. */
function distinct(count: number, word: string, wordsEach = 10) {
  return Array.from({ length: count }, (_, index) => {
    const words = Array.from(
      { length: wordsEach },
      (_, part) => `${word}${(index * 7_919 + part * 104_729) % 100_003}`,
    );
    return said(words.join(" "));
  });
}

/** Searches until the purge is complete: each search does one step of it. */
async function searchUntilAllIsRemoved(store: Store, path: string): Promise<void> {
  const sqlite = new DatabaseSync(path);
  const count = sqlite.prepare("SELECT count(*) AS count FROM search_leftovers");
  while (count.get()?.count !== 0) await store.search("zanzibarbarian", anonymous);
  sqlite.close();
}

/** Asserts that the index is intact and contains this many events. */
function expectOrder(path: string, events: number): void {
  const sqlite = new DatabaseSync(path);
  expect(sqlite.prepare("SELECT count(*) AS count FROM search_docsize").get()).toEqual({ count: events });
  expect(sqlite.prepare("SELECT count(*) AS count FROM search_leftovers").get()).toEqual({ count: 0 });
  sqlite.exec("INSERT INTO search (search) VALUES ('integrity-check')");
  sqlite.close();
}

function conversationsOf(matches: readonly { conversation: string }[]): string[] {
  return matches.map(({ conversation }) => conversation).sort();
}

function isInFiles(path: string, text: string): boolean {
  const folder = dirname(path);
  return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text));
}
