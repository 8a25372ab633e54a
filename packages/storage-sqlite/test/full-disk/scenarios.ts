import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "@cogency/protocol";
import type { Piece } from "@cogency/protocol/parts";
import { type Store, StoreError } from "@cogency/storage";
import { sqliteStore } from "../../src/index.ts";
import { type FrozenStore, readStore } from "../corpus/frozen-store.ts";
import { said } from "../support/samples.ts";
import type { Disk } from "./disk.ts";

/** Scenarios on a full disk. Each throws if a guarantee does not hold. */
export const scenarios = { appending, opening, migrating, indexing, changing, publishing };

const key = { conversation: "c" };

async function appending(disk: Disk): Promise<void> {
  const path = join(disk.folder, "store.db");
  const store = await sqliteStore({ path });
  let count = await store.append(key, batchOf(3));
  for (const turn of [1, 2, 3]) {
    disk.fill();
    // The write-ahead log may have free space inside for a while.
    count = await appendUntilFull(store, disk, path, count);
    await expectIntact(store, count);
    disk.makeRoom();
    assert.equal(await store.append(key, batchOf(5), { batch: `turn ${turn}` }), count + 5);
    count += 5;
    await expectIntact(store, count);
  }
  await closeAndCheck(store, path);
}

async function opening(disk: Disk): Promise<void> {
  const path = join(disk.folder, "store.db");
  disk.fill();
  await expectFull(sqliteStore({ path }), disk, path);
  disk.makeRoom();
  const store = await sqliteStore({ path });
  await store.append(key, batchOf(10));
  // What a killed process leaves.
  const left = join(disk.folder, "left.db");
  for (const end of ["", "-wal"]) copyFileSync(path + end, left + end);
  await store.close();
  disk.fill();
  await expectFull(sqliteStore({ path }), disk, path);
  const readOnly = await sqliteStore({ path, readOnlyIfNeeded: true });
  await expectIntact(readOnly, 10);
  assert.equal(await firstLetters(readOnly, readOnly), "letters");
  assert.ok(!existsSync(`${path}-live`), "a store that is read only does not listen");
  assert.equal((await readOnly.search("length", { user: undefined, limit: 100 })).length, 10);
  await assert.rejects(async () => readOnly.append(key, batchOf(1)), {
    code: "unavailable",
    message: /but not written/,
  });
  await readOnly.close();
  await assert.rejects(sqliteStore({ path: left, readOnlyIfNeeded: true }), { message: /left its last events in/ });
  disk.makeRoom();
  const again = await sqliteStore({ path });
  await expectIntact(again, 10);
  await closeAndCheck(again, path);
}

async function migrating(disk: Disk): Promise<void> {
  const frozen = fileURLToPath(new URL("../corpus/schema-1.db", import.meta.url));
  const wanted: FrozenStore = JSON.parse(readFileSync(new URL("../corpus/schema-1.json", import.meta.url), "utf8"));
  const path = join(disk.folder, "old.db");
  copyFileSync(frozen, path);
  let failures = 0;
  for (let room = 0; ; room += 48 * 1024) {
    assert.ok(room < 1_500_000, "a migration needs less room than this");
    disk.fill(room);
    const store = await sqliteStore({ path }).catch((error) => checkFull(error, disk, path));
    disk.makeRoom();
    if (store) {
      await store.close();
      break;
    }
    failures++;
    // The files that SQLite leaves beside the database after a failure belong to its content.
    const database = new DatabaseSync(path);
    assert.deepEqual(Object.values(database.prepare("PRAGMA user_version").get() ?? {}), [1]);
    assert.deepEqual(Object.values(database.prepare("PRAGMA integrity_check").get() ?? {}), ["ok"]);
    database.close();
  }
  assert.ok(failures > 0, "opening on a disk without room failed");
  const store = await sqliteStore({ path });
  const keys = wanted.logs.map((log) => log.key);
  assert.deepEqual(await readStore(store, keys), { logs: wanted.logs, lists: wanted.lists });
  await closeAndCheck(store, path);
}

async function indexing(disk: Disk): Promise<void> {
  const path = join(disk.folder, "store.db");
  const store = await sqliteStore({ path });
  const events = Array.from({ length: 60 }, (_, index) => said(`The wallaby ${index} ${differentWords(index, 800)}`));
  await store.append(key, events);
  disk.fill();
  const found = await store.search("wallaby", { user: undefined, limit: 100 }).catch((error) => {
    return checkFull(error, disk, path);
  });
  assert.ok(!found || found.length === events.length, "a search finds all or fails");
  assert.equal((await store.load(key)).length, events.length);
  disk.makeRoom();
  assert.equal((await store.search("wallaby", { user: undefined, limit: 100 })).length, events.length);
  await closeAndCheck(store, path);
}

async function changing(disk: Disk): Promise<void> {
  const path = join(disk.folder, "store.db");
  const store = await sqliteStore({ path });
  await store.append(key, batchOf(50));
  await store.saveProfile("ada", "before");
  disk.fill();
  const saved = await store.saveProfile("ada", "x".repeat(2_000_000)).catch((error) => checkFull(error, disk, path));
  assert.equal(saved, undefined, "two million characters do not fit");
  assert.deepEqual(await store.loadProfile("ada"), { profile: "before", version: 1 });
  const isDeleted = await store.delete(key).catch((error) => checkFull(error, disk, path));
  if (!isDeleted) await expectIntact(store, 50);
  const lease = await store
    .lease({ conversation: "other" }, { owner: "me", ttl: 60_000 })
    .catch((error) => checkFull(error, disk, path));
  disk.makeRoom();
  const other = await store.lease({ conversation: "other" }, { owner: "me", ttl: 60_000 });
  assert.ok(other.token > (lease?.token ?? 0));
  await other.release();
  if (!isDeleted) assert.equal(await store.delete(key), true);
  assert.deepEqual(await store.load(key), []);
  await closeAndCheck(store, path);
}

async function publishing(disk: Disk): Promise<void> {
  const path = join(disk.folder, "store.db");
  const [store, other] = [await sqliteStore({ path }), await sqliteStore({ path })];
  await store.append(key, batchOf(3));
  disk.fill();
  // Whether a socket fits is up to the disk.
  const arrives = firstLetters(other, store);
  assert.equal(await firstLetters(store, store), "letters");
  await expectIntact(store, 3);
  disk.makeRoom();
  assert.equal(await arrives, "letters");
  await other.close();
  await closeAndCheck(store, path);
}

/** What a follower in one store gets of a publisher in another one, however long it takes. */
async function firstLetters(follower: Store, publisher: Store): Promise<string> {
  const letters: Piece = { type: "text", run: "r", seq: 0, unit: 1, offset: 0, text: "letters" };
  const publishing = publisher.live.publisher(key, () => [letters]);
  try {
    for await (const [piece] of follower.live.follow(key)) if (piece?.type === "text") return piece.text;
    return "";
  } finally {
    publishing.close();
  }
}

async function appendUntilFull(store: Store, disk: Disk, path: string, start: number): Promise<number> {
  for (let count = start; count < start + 5_000; count += 20) {
    const last = await store.append(key, batchOf(20)).catch((error) => checkFull(error, disk, path));
    if (last === undefined) return count;
    assert.equal(last, count + 20);
  }
  throw new Error("A full disk took 5,000 events.");
}

async function expectIntact(store: Store, count: number): Promise<void> {
  const log = await store.load(key);
  assert.deepEqual(
    log.map(({ seq }) => seq),
    Array.from({ length: count }, (_, index) => index + 1),
  );
  assert.equal((await store.conversations())[0]?.events, count);
}

async function closeAndCheck(store: Store, path: string): Promise<void> {
  await store.close();
  const database = new DatabaseSync(path);
  assert.deepEqual(Object.values(database.prepare("PRAGMA integrity_check").get() ?? {}), ["ok"]);
  database.close();
}

async function expectFull(work: Promise<unknown>, disk: Disk, path: string): Promise<void> {
  await work.then(
    () => assert.fail("A full disk had room."),
    (error) => checkFull(error, disk, path),
  );
}

function checkFull(error: unknown, disk: Disk, path: string): undefined {
  assert.ok(error instanceof StoreError, `not a StoreError: ${error instanceof Error ? error.stack : error}`);
  assert.match(error.code, disk.codes, error.message);
  assert.ok(error.message.includes(path), error.message);
}

function batchOf(count: number): LogEvent[] {
  return Array.from({ length: count }, (_, index) => said(`Event ${index} ${"of some length ".repeat(60)}`));
}

/** Different words, so that an index grows. */
function differentWords(start: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `w${((start * count + index) * 7919).toString(36)}`).join(" ");
}
