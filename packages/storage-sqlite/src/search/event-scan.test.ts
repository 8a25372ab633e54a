import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { said } from "../../test/support/samples.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { createDatabase } from "../database/database.ts";
import { sqliteStore } from "../sqlite-store.ts";
import { prepareEventScan } from "./event-scan.ts";
import { prepareSearch } from "./search.ts";

const key = { conversation: "c1" };

describe("searching where SQLite has no FTS5", () => {
  it("finds what the index finds, in the same order", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    for (let log = 0; log < 5; log++) {
      const events = Array.from({ length: 90 }, (_, index) =>
        said(`quince ${log} ${index % 7 === 0 ? "medlar" : "x"}`),
      );
      await store.append({ conversation: `c${log}`, user: log === 4 ? "ada" : undefined }, events);
    }
    const { scan, close } = without(path);
    for (const [text, options] of [
      ["quince", { user: undefined, limit: Number.POSITIVE_INFINITY }],
      ["medl quince", { user: undefined, limit: 50 }],
      ["medlar 2", { user: undefined, exclude: "c2" }],
      ["quince", { user: "ada", exclude: "c1" }],
      ["quince", { user: "nobody" }],
    ] as const) {
      expect(await prepareSearch(scan)(text, options)).toEqual(await store.search(text, options));
    }
    close();
    await store.close();
  });

  it("throws `corrupt` for a damaged event, like the index", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append(key, [said("quince"), said("quince")]);
    expect(await store.search("quince", { user: undefined })).toHaveLength(2);
    const { scan, close } = without(path);
    const other = new DatabaseSync(path);
    for (const checksum of [7, 2 ** 45]) {
      other.prepare("UPDATE events SET checksum = ? WHERE seq = 1").run(checksum);
      const damage = { name: "StoreError", code: "corrupt", message: expect.stringContaining(path) };
      await expect(store.search("quince", { user: undefined })).rejects.toMatchObject(damage);
      await expect(prepareSearch(scan)("quince", { user: undefined })).rejects.toMatchObject(damage);
    }
    other.close();
    close();
    await store.close();
  });

  it("empties the index on delete, and the next search with FTS5 fills it again", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    const all = { user: undefined, limit: Number.POSITIVE_INFINITY };
    for (const conversation of ["c1", "c2"]) await store.append({ conversation }, [said("quince")]);
    expect(await store.search("quince", all)).toHaveLength(2);
    const { sqlite, scan, close } = without(path);
    scan.remove(1, "null");
    for (const table of ["search_content", "search_scopes"]) {
      expect(sqlite.prepare(`SELECT count(*) AS count FROM ${table}`).get()).toEqual({ count: 0 });
    }
    close();
    expect(await store.search("quince", all)).toHaveLength(2);
    expect(await store.delete(key)).toBe(true);
    expect(await store.search("quince", all)).toMatchObject([{ conversation: "c2" }]);
    await store.close();
  });
});

function without(path: string) {
  const sqlite = new DatabaseSync(path);
  // SQLite protects the tables of FTS5 only if it has FTS5.
  if ("enableDefensive" in sqlite) sqlite.enableDefensive(false);
  const database = createDatabase(sqlite, path, { busyTimeout: 1_000 });
  return { sqlite, scan: prepareEventScan(database), close: database.close };
}
