import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { memoryStore, type Store, type StoredEvent } from "@cogency/storage";
import { sqliteStore } from "../../src/index.ts";
import type { Random } from "../support/random.ts";
import type { Expected, ExpectedLog } from "./expected.ts";
import { eventsOf, messageOf } from "./operations.ts";

/**
 * Opens the store after its writers were killed, asserts that it contains what is expected, uses it again, and updates
 * `expected` to its content.
 */
export async function checkStore(path: string, expected: Expected, run: string, random: Random): Promise<void> {
  const store = await sqliteStore({ path });
  try {
    for (const log of expected.logs) checkLog(await store.load(log.key), log);
    await checkInboxes(store, expected);
    await checkLists(store, expected);
    for (const profile of expected.profiles) await checkProfile(store, profile);
    await checkSearch(store, expected, random);
    for (const log of expected.logs) await checkLease(store, expected, log);
    for (const log of expected.logs) await goOn(store, log, run);
  } finally {
    await store.close();
  }
  checkFile(path);
}

/** Asserts that the log contains only whole batches that a writer sent, and every acknowledged one. */
function checkLog(events: readonly StoredEvent[], log: ExpectedLog): void {
  const where = JSON.stringify(log.key);
  const isDeleted = log.isDeletePending && events.length === 0;
  const found = new Map<string, number>();
  for (let start = 0; start < events.length; ) {
    const [, name = "", count = ""] = /^(\S+) 1 of (\d+)/.exec(contentOf(events[start])) ?? [];
    assert.ok(name, `${where}: no batch begins at event ${start + 1}`);
    const batch = eventsOf(name, Number(count)).map((event, index) => ({ ...event, seq: start + index + 1 }));
    const actual = events.slice(start, start + batch.length);
    assert.deepEqual(actual, batch, `${where}: batch ${name} is not whole`);
    assert.ok(!found.has(name), `${where}: batch ${name} is there twice`);
    start += batch.length;
    found.set(name, start);
    const isKnown = log.appends.has(name) || log.pending.some((operation) => operation.name === name);
    assert.ok(isKnown, `${where}: batch ${name} was deleted, or never appended`);
  }
  if (!isDeleted) {
    for (const [name, last] of log.appends) assert.equal(found.get(name), last, `${where}: acknowledged batch ${name}`);
  }
  log.appends = found;
  log.isDeletePending = false;
}

/**
 * Asserts that a message is in the inbox only if its append is not in the log, and that the conversation is then due.
 */
async function checkInboxes(store: Store, { logs }: Expected): Promise<void> {
  const waiting: string[] = [];
  for (const { key, appends, pending } of logs) {
    const where = JSON.stringify(key);
    const inbox = await store.inbox(key);
    if (inbox.length > 0) waiting.push(where);
    for (const { id, message } of inbox) {
      assert.deepEqual(message, messageOf(id), `${where}: message ${id}`);
      assert.ok(!appends.has(id), `${where}: message ${id} is in the log and in the inbox`);
      const isPending = pending.some(({ name, takesMessage }) => name === id && takesMessage);
      assert.ok(isPending, `${where}: message ${id} was taken, or never posted`);
    }
  }
  const claims = await store.claim({ owner: "check", limit: 1_000, ttl: 600_000 });
  assert.deepEqual(claims.map(({ key }) => JSON.stringify(key)).sort(), waiting.sort(), "what is due");
  for (const claim of claims) {
    assert.deepEqual(claim.reasons, ["inbox"]);
    assert.equal(await store.done(claim), true);
  }
}

async function checkLists(store: Store, { logs }: Expected): Promise<void> {
  for (const user of usersOf(logs)) {
    const listed = await store.conversations({ user, limit: Number.POSITIVE_INFINITY });
    const wanted = logs.filter(({ key, appends }) => key.user === user && appends.size > 0);
    assert.deepEqual(
      Object.fromEntries(listed.map(({ conversation, events }) => [conversation, events])),
      Object.fromEntries(wanted.map(({ key, appends }) => [key.conversation, lastOf(appends)])),
      `the list of ${user}`,
    );
  }
}

async function checkProfile(store: Store, profile: Expected["profiles"][number]): Promise<void> {
  const stored = await store.loadProfile(profile.user);
  const actual = stored && { text: (stored.profile as { text: string }).text, version: stored.version };
  const isExpected = profile.states.some((state) => JSON.stringify(state) === JSON.stringify(actual));
  assert.ok(isExpected, `the profile is ${JSON.stringify(actual)}, not one of ${JSON.stringify(profile.states)}`);
  profile.states = [actual];
}

/** Asserts that a search finds the same as in a store with the same logs and no index. */
async function checkSearch(store: Store, { logs }: Expected, random: Random): Promise<void> {
  const plain = memoryStore();
  for (const { key } of logs) await plain.append(key, await store.load(key));
  const names = logs.flatMap(({ appends }) => Array.from(appends.keys()));
  const texts = Array.from({ length: 3 }, () => names[random.below(names.length)] ?? "nothing");
  for (const user of usersOf(logs)) {
    for (const text of texts) {
      const options = { user, limit: Number.POSITIVE_INFINITY };
      const [actual, wanted] = await Promise.all([store, plain].map((one) => one.search(text, options)));
      assert.deepEqual(placesOf(actual), placesOf(wanted), `what a search of ${user} for ${text} finds`);
    }
  }
}

function placesOf(matches: Awaited<ReturnType<Store["search"]>> = []): string[] {
  return matches.map(({ conversation, seq }) => `${conversation} ${seq}`).sort();
}

/**
 * Asserts that a killed writer keeps its lease, and that a writer with the same owner takes it over and fences it off.
 */
async function checkLease(store: Store, expected: Expected, log: ExpectedLog): Promise<void> {
  const [owner = ""] = log.key.conversation.split(" ");
  if (owner === "shared") return;
  const append = { key: log.key, events: eventsOf("forbidden", 1) };
  if (log.lease) {
    await assert.rejects(
      store.append(append.key, append.events),
      { code: "lease_held", owner },
      "append without lease",
    );
    await assert.rejects(store.lease(log.key, { owner: "somebody else", ttl: 1_000 }), { code: "lease_held", owner });
  }
  const lease = await store.lease(log.key, { owner, ttl: 600_000 });
  assert.ok(lease.token > expected.token, `token ${lease.token} comes after token ${expected.token}`);
  expected.token = lease.token;
  if (log.lease) {
    await assert.rejects(store.append(append.key, append.events, { lease: log.lease }), { code: "lease_lost" });
  }
  await lease.release();
  log.lease = undefined;
}

/** Sends a batch again of which its writer does not know whether it was stored. */
async function goOn(store: Store, log: ExpectedLog, run: string): Promise<void> {
  for (const { name, count, hasBatchId, takesMessage } of log.pending) {
    if (!hasBatchId) continue;
    const last = log.appends.get(name) ?? lastOf(log.appends) + count;
    if (takesMessage) await store.post(log.key, messageOf(name), { id: name });
    const options = { batch: name, takes: takesMessage ? [name] : [] };
    assert.equal(await store.append(log.key, eventsOf(name, count), options), last, `batch ${name} again`);
    log.appends.set(name, last);
  }
  assert.deepEqual(await store.inbox(log.key), [], `the inbox of ${JSON.stringify(log.key)}`);
  log.pending = [];
  const name = `${run}check`;
  const last = await store.append(log.key, eventsOf(name, 2));
  assert.equal(last, lastOf(log.appends) + 2, `an append to ${JSON.stringify(log.key)}`);
  log.appends.set(name, last);
  checkLog(await store.load(log.key), log);
}

/** Asserts that SQLite finds no damage in the database. */
export function checkFile(path: string): void {
  const database = new DatabaseSync(path);
  assert.deepEqual(database.prepare("PRAGMA integrity_check").all().map(Object.values), [["ok"]], "integrity_check");
  assert.deepEqual(database.prepare("PRAGMA foreign_key_check").all(), [], "foreign_key_check");
  database.close();
}

function usersOf(logs: readonly ExpectedLog[]): Set<string | undefined> {
  return new Set(logs.map(({ key }) => key.user));
}

function lastOf(appends: ReadonlyMap<string, number>): number {
  return Math.max(0, ...appends.values());
}

function contentOf(event: StoredEvent | undefined): string {
  return event && "content" in event ? event.content : "";
}
