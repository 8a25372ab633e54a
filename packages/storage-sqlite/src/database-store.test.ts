import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { InboxMessage } from "@cogency/storage";
import type { LoadOptions } from "@cogency/storage/adapter";
import { describe, expect, it } from "vitest";
import { batchOf, said } from "../test/support/samples.ts";
import { temporaryFolder } from "../test/support/temporary-folder.ts";
import { withJsonLimit } from "../test/support/with-json-limit.ts";
import { createDatabase } from "./database/database.ts";
import { databaseStore } from "./database-store.ts";
import { openDatabase } from "./open-database.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { conversation: "c" };

describe("databaseStore", () => {
  it("leaves only the database file after it was closed", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append(key, batchOf("b"));
    expect(readdirSync(dirname(path)).sort()).toEqual(["store.db", "store.db-shm", "store.db-wal"]);
    await store.close();
    expect(readdirSync(dirname(path))).toEqual(["store.db"]);
  });

  it("keeps nothing of a message that was taken but its id and a hash", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.post(key, { kind: "prompt", content: "text-secret" }, { id: "the-id" });
    await store.append(key, [said("what it said")], { takes: ["the-id"] });
    await store.close();
    expect(isInFiles(path, "text-secret")).toBe(false);
    expect(isInFiles(path, "the-id")).toBe(true);
  });

  it("fails with `corrupt` for a message, an id, a timer or a name that was changed", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.post(key, { kind: "prompt", content: "Yes." }, { id: "a" });
    await store.wake(key, { id: "timer", at: 0 });
    const other = new DatabaseSync(path);
    const change = (sql: string) => other.exec(sql);
    const damaged = { code: "corrupt", message: expect.stringContaining(path) };
    const claim = () => store.claim({ owner: "o", limit: 1, ttl: 60_000 });
    change("UPDATE messages SET message = replace(message, 'Yes', 'No!')");
    await expect(store.inbox(key)).rejects.toMatchObject(damaged);
    await expect(store.append(key, [said("x")], { takes: ["a"] })).rejects.toMatchObject(damaged);
    change("UPDATE messages SET message = replace(message, 'No!', 'Yes'); UPDATE message_ids SET hash = 'another'");
    await expect(store.post(key, { kind: "cancel" }, { id: "a" })).rejects.toMatchObject(damaged);
    change("UPDATE timers SET id = '\"another\"'");
    await expect(claim()).rejects.toMatchObject(damaged);
    change("UPDATE timers SET id = '\"timer\"'; UPDATE keys SET scope = '\"another\"'");
    await expect(store.claim({ owner: "o", limit: 1, ttl: 60_000, scope: "another" })).rejects.toMatchObject(damaged);
    change("UPDATE keys SET scope = 'null'; DELETE FROM messages");
    await expect(store.append(key, [said("x")], { takes: ["a"] })).rejects.toMatchObject({ code: "corrupt" });
    other.close();
    expect(await store.load(key)).toEqual([]);
    expect(await claim()).toHaveLength(1);
    await store.close();
  });

  it("fails with `invalid_message` for a message that is too long, and stores nothing", async () => {
    const store = await sqliteStore({ path: ":memory:" });
    const message: InboxMessage = { kind: "prompt", content: "\u0001".repeat(1_000) };
    const posted = withJsonLimit(5_000, () => store.post(key, message, { id: "a" }));
    await expect(posted).rejects.toMatchObject({ code: "invalid_message" });
    expect(await store.nextWake()).toBeUndefined();
    await store.close();
  });

  it("fails with `unavailable` while another connection holds the write lock, and works again after it", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path, busyTimeout: 20 });
    await store.append(key, batchOf("before"));
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const locked = { code: "unavailable", message: expect.stringContaining("locked") };
    await expect(store.append(key, batchOf("meanwhile"))).rejects.toMatchObject(locked);
    await expect(store.delete(key)).rejects.toMatchObject(locked);
    expect(await store.load(key)).toHaveLength(3);
    other.exec("ROLLBACK");
    other.close();
    expect(await store.append(key, batchOf("after"))).toBe(6);
    await store.close();
  });

  it("fails with `full` on a full disk, stores nothing of the batch, and works again when there is space", async () => {
    const path = join(temporaryFolder(), "store.db");
    const sqlite = await openDatabase(path, { busyTimeout: 0, durability: "process" });
    const store = databaseStore(createDatabase(sqlite, path, { busyTimeout: 0 }), Date.now);
    await store.append(key, batchOf("before"));
    const pages = Object.values(sqlite.prepare("PRAGMA page_count").get() ?? {})[0];
    sqlite.exec(`PRAGMA max_page_count = ${pages}`);
    await expect(store.append(key, [said("small"), said("large ".repeat(10_000))])).rejects.toMatchObject({
      code: "full",
      message: expect.stringContaining(path),
    });
    expect(await store.load(key)).toHaveLength(3);
    expect((await store.conversations())[0]?.events).toBe(3);
    sqlite.exec("PRAGMA max_page_count = 100000");
    expect(await store.append(key, [said("large ".repeat(10_000))])).toBe(4);
    await store.close();
  });

  it("fails with `invalid_event` for an event that is too long, and stores nothing of the batch", async () => {
    const store = await sqliteStore({ path: ":memory:" });
    const batch = [said("before"), said("\u0001".repeat(1_000))];
    const appended = withJsonLimit(5_000, () => store.append(key, batch));
    await expect(appended).rejects.toMatchObject({ name: "InvalidEventError", index: 1 });
    expect(await store.conversations()).toEqual([]);
    await store.close();
  });

  it("loads a part of a log even if events elsewhere are missing", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append(key, [...batchOf("a"), ...batchOf("b")]);
    const other = new DatabaseSync(path);
    other.exec("DELETE FROM events WHERE seq = 2");
    other.close();
    const seqs = async (options: LoadOptions) => (await store.load(key, options)).map(({ seq }) => seq);
    expect(await seqs({ after: 3 })).toEqual([4, 5, 6]);
    expect(await seqs({ after: 3.5 })).toEqual([4, 5, 6]);
    expect(await seqs({ last: 3 })).toEqual([4, 5, 6]);
    expect(await seqs({ last: 3, types: ["user"] })).toEqual([4, 5, 6]);
    expect(await seqs({ after: 9 })).toEqual([]);
    // The checksum of event 3 continues that of event 2.
    for (const options of [{}, { after: 1 }, { after: 2 }, { last: 4 }, { last: 6 }, { after: -1 }]) {
      await expect(store.load(key, options)).rejects.toMatchObject({
        code: "corrupt",
        message: expect.stringContaining("event 2 is missing"),
      });
    }
    await store.close();
  });
});

function isInFiles(path: string, text: string): boolean {
  const folder = dirname(path);
  return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text));
}
