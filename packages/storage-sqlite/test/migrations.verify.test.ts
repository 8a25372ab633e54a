import { once } from "node:events";
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../src/index.ts";
import { schemaVersion } from "../src/schema/tables.ts";
import { claimOptions, heldSlot } from "./corpus/contents.ts";
import { type FrozenStore, type FrozenWakes, readStore } from "./corpus/frozen-store.ts";
import { otherProcess } from "./support/other-process.ts";
import { said } from "./support/samples.ts";
import { spawnScript } from "./support/spawn-script.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const corpus = fileURLToPath(new URL("corpus", import.meta.url));
const versions = readdirSync(corpus)
  .flatMap((name) => /^schema-(\d+)\.db$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((one, other) => one - other);
const oldVersions = versions.filter((version) => version < schemaVersion);

describe("the frozen stores", () => {
  it("include one of every schema version up to the current one", () => {
    expect(versions).toEqual(Array.from({ length: schemaVersion }, (_, index) => index + 1));
  });
});

describe.each(versions)("a store of schema version %i", (version) => {
  const frozen: FrozenStore = JSON.parse(readFileSync(join(corpus, `schema-${version}.json`), "utf8"));

  it("reads exactly as it was written, now and after it was opened again", async () => {
    const path = copyOf(version);
    for (let opening = 1; opening <= 2; opening++) {
      const store = await sqliteStore({ path });
      await expectFrozen(store, frozen);
      await store.close();
    }
    expect(versionOf(path)).toBe(schemaVersion);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  });

  it("keeps its batches and leases, and supports append, delete and search", async () => {
    const store = await sqliteStore({ path: copyOf(version) });
    for (const { key, batch, result } of frozen.batches) {
      expect(await store.append(key, [said("again")], { batch })).toBe(result);
    }
    await expectFrozen(store, frozen);
    await expectLeases(store, frozen);
    for (const user of [undefined, "", "ada", "grace"]) {
      for (const word of ["quokka", "wombat", "bandicoot", "backwards", "numbat"]) {
        const found = await store.search(word, { user, limit: Number.POSITIVE_INFINITY });
        const places = found.map(({ conversation, seq }) => JSON.stringify([conversation, seq]));
        expect(places.sort()).toEqual(placesOf(word, user, frozen));
      }
    }
    for (const { key, events } of frozen.logs) {
      expect(await store.append(key, [said("one more")], { expected: events.length })).toBe(events.length + 1);
      expect(await store.delete(key)).toBe(true);
    }
    expect(await store.conversations({ user: "ada" })).toEqual([]);
    await store.close();
  });

  it("gives out its claims, messages and wakes, where it has some", async () => {
    const store = await sqliteStore({ path: copyOf(version) });
    expect(frozen.wakes === undefined).toBe(version < 3);
    if (frozen.wakes) await useWakes(store, frozen.wakes);
    await store.close();
  });
});

describe.each(oldVersions)("migrating from schema version %i", (version) => {
  const frozen: FrozenStore = JSON.parse(readFileSync(join(corpus, `schema-${version}.json`), "utf8"));

  it("keeps the old store beside it with mode 0600, readable by the version that wrote it", async () => {
    const path = copyOf(version);
    await (await sqliteStore({ path })).close();
    expect(filesBeside(path)).toEqual([basename(path), `${basename(path)}.schema-${version}`]);
    const kept = `${path}.schema-${version}`;
    expect((statSync(kept).mode & 0o777).toString(8)).toBe("600");
    expect(contentOf(kept)).toEqual(contentOf(join(corpus, `schema-${version}.db`)));
    const store = await sqliteStore({ path: kept });
    await expectFrozen(store, frozen);
    await store.close();
  });

  it("makes a conversation due when its lease ends, and takes messages for every conversation", async () => {
    const path = copyOf(version);
    const held = frozen.leases.find(({ key }) => key.conversation === "every kind");
    if (held) {
      const database = new DatabaseSync(path);
      database.prepare("UPDATE leases SET expires_at = 1 WHERE token = ?").run(held.token);
      database.close();
    }
    const store = await sqliteStore({ path });
    expect(await store.nextWake()).toBe(held && 1);
    const claims = await store.claim({ owner: "o", limit: 10, ttl: 600_000 });
    expect(claims).toMatchObject(held ? [{ key: held.key, reasons: ["lease"] }] : []);
    for (const claim of claims) expect(await store.done(claim)).toBe(true);
    expect(await store.nextWake()).toBeUndefined();
    for (const { key, events } of frozen.logs) {
      // The scope was fixed before: the conversation has none.
      await store.post(key, { kind: "prompt", content: "for an old one" }, { id: "a", scope: "new" });
      expect(await store.append(key, [said("taken")], { takes: ["a"] })).toBe(events.length + 1);
      if (events.length > 0) await store.wake(key, { id: "a", at: 0, scope: "new" });
    }
    const written = frozen.logs.filter(({ events }) => events.length > 0);
    expect(await store.claim({ owner: "o", limit: 10_000, ttl: 600_000 })).toHaveLength(written.length);
    await store.close();
  });

  it("is done by one of several processes that open the store at once, and all of them continue", async () => {
    const path = copyOf(version);
    const others = Array.from({ length: 4 }, () => otherProcess(path));
    const key = { conversation: "new" };
    const numbers = await Promise.all(others.map((other, index) => other.append(key, [said(`of ${index}`)])));
    expect(numbers.sort()).toEqual([1, 2, 3, 4]);
    await Promise.all(others.map((other) => other.signal("SIGKILL")));
    const store = await sqliteStore({ path });
    await store.delete(key);
    await expectFrozen(store, frozen);
    await store.close();
    expect(filesBeside(path)).toEqual([basename(path), `${basename(path)}.schema-${version}`]);
  });

  it("refuses a damaged store and does not change it", async () => {
    const path = copyOf(version);
    const database = new DatabaseSync(path);
    // The first schema had no checksums, and the second has no count of the events.
    if (version === 1) database.exec("DELETE FROM events WHERE seq = 100");
    else database.exec("UPDATE conversations SET name = '\"another\"' WHERE name = '\"long\"'");
    database.close();
    const before = readFileSync(path);
    const refusal = { name: "StoreError", code: "corrupt", message: expect.stringContaining(path) };
    await expect(sqliteStore({ path })).rejects.toMatchObject(refusal);
    expect(versionOf(path)).toBe(version);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("loses nothing when it is killed at any moment, and the next process that opens the store completes it", async () => {
    const duration = await openingTime(copyOf(version));
    for (let round = 0; round < 6; round++) {
      const path = copyOf(version);
      // Kills up to three in a row: the files of a killed process must not break the next one.
      for (let kill = 0; kill <= round % 3; kill++) await killWhileOpening(path, Math.random() * duration * 1.2);
      const store = await sqliteStore({ path });
      await expectFrozen(store, frozen);
      await store.close();
      const kept = filesBeside(path).filter((name) => name !== basename(path));
      expect(kept).toContain(`${basename(path)}.schema-${version}`);
      for (const name of kept) expect(versionOf(join(dirname(path), name))).toBe(version);
    }
  });
});

describe("a store of a newer schema version", () => {
  it("is refused and not changed", async () => {
    const path = copyOf(schemaVersion);
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
    database.close();
    const before = readFileSync(path);
    await expect(sqliteStore({ path })).rejects.toMatchObject({
      code: "newer_schema",
      message: expect.stringContaining(path),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(filesBeside(path)).toEqual([basename(path)]);
  });
});

function copyOf(version: number): string {
  const path = join(temporaryFolder(), "store.db");
  copyFileSync(join(corpus, `schema-${version}.db`), path);
  chmodSync(path, 0o600);
  return path;
}

async function expectFrozen(store: Store, { logs, lists, profiles, wakes }: FrozenStore): Promise<void> {
  const keys = logs.map(({ key }) => key);
  expect(await readStore(store, keys)).toEqual({ logs, lists });
  for (const { user, profile, version } of profiles) {
    expect(await store.loadProfile(user)).toEqual({ profile, version });
  }
  if (wakes) await expectWakes(store, wakes);
}

async function expectWakes(store: Store, { inboxes, posts, later, parked }: FrozenWakes): Promise<void> {
  for (const { key, messages } of inboxes) expect(await store.inbox(key)).toEqual(messages);
  for (const { key, message, ...options } of posts) {
    await store.post(key, message, options);
    const other = store.post(key, { kind: "prompt", content: "another" }, options);
    await expect(other).rejects.toMatchObject({ name: "MessageConflictError", id: options.id });
  }
  for (const { key, messages } of inboxes) expect(await store.inbox(key)).toEqual(messages);
  for (const { scope, at } of later) expect(await store.nextWake({ scope })).toBe(at);
  expect(await store.parked({ scope: parked.scope })).toEqual(parked.parked);
  const { name, ...held } = heldSlot;
  expect(await store.slot(name, { ...held, owner: "another" })).toBeNull();
}

/** Settles the claims, and takes all messages. */
async function useWakes(store: Store, { inboxes, due, claim, parked }: FrozenWakes): Promise<void> {
  const options = { ...claimOptions, limit: 10 };
  expect(await store.claim({ ...options, scope: due.scope })).toMatchObject([
    { key: due.key, reasons: due.reasons, attempts: 1 },
  ]);
  expect(await store.claim({ ...options, scope: parked.scope })).toEqual([]);
  for (const { key } of parked.parked) expect(await store.unpark(key)).toBe(true);
  expect(await store.claim({ ...options, scope: parked.scope })).toMatchObject(
    parked.parked.map(({ key }) => ({ key, reasons: ["timer:timer"], attempts: 1 })),
  );
  expect(await store.done(claim)).toBe(true);
  expect(await store.done(claim)).toBe(false);
  for (const { key, messages } of inboxes) {
    await store.append(key, [said("taken")], { takes: messages.map(({ id }) => id) });
    expect(await store.inbox(key)).toEqual([]);
    expect(await store.delete(key)).toBe(true);
  }
}

/** Checks that the leases are held, and releases them. */
async function expectLeases(store: Store, { leases }: FrozenStore): Promise<void> {
  const ttl = 600_000;
  let lastToken = Math.max(0, ...leases.map(({ token }) => token));
  for (const { key, owner, expiresAt } of leases) {
    if (expiresAt > Date.now()) {
      const held = { code: "lease_held", owner, expiresAt };
      await expect(store.lease(key, { owner: "another", ttl })).rejects.toMatchObject(held);
      await expect(store.append(key, [said("without")])).rejects.toMatchObject(held);
    }
    const lease = await store.lease(key, { owner: expiresAt > Date.now() ? owner : "another", ttl });
    expect(lease.token).toBeGreaterThan(lastToken);
    lastToken = lease.token;
    await lease.release();
  }
}

/** The events whose messages or results contain the word. */
function placesOf(word: string, user: string | undefined, { logs }: FrozenStore): string[] {
  return logs
    .filter(({ key }) => key.user === user)
    .flatMap(({ key, events }) =>
      events
        .filter((event) => "content" in event && new RegExp(`\\b${word}`, "i").test(event.content))
        .map(({ seq }) => JSON.stringify([key.conversation, seq])),
    )
    .sort();
}

/** The offset of `PRAGMA user_version` in the header of the file. */
function versionOf(path: string): number {
  return readFileSync(path).readUInt32BE(60);
}

function filesBeside(path: string): string[] {
  return readdirSync(dirname(path)).sort();
}

/** Every row of every table. */
function contentOf(path: string): unknown {
  const copy = join(temporaryFolder(), "copy.db");
  copyFileSync(path, copy);
  const database = new DatabaseSync(copy);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const content = tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]);
  database.close();
  return content;
}

/** Milliseconds. */
async function openingTime(path: string): Promise<number> {
  const child = spawnScript("open-and-report.ts", path);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const start = performance.now();
  await lines.next();
  const time = performance.now() - start;
  child.kill("SIGKILL");
  return time;
}

/** @param delay milliseconds after the process has started to open the store */
async function killWhileOpening(path: string, delay: number): Promise<void> {
  const child = spawnScript("open-and-report.ts", path);
  const closed = once(child, "close");
  await once(child.stdout, "data");
  await setTimeout(delay);
  child.kill("SIGKILL");
  await closed;
}
