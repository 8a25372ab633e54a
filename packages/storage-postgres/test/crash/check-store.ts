import assert from "node:assert/strict";
import type { Key, Store } from "@cogency/storage";
import { postgresStore } from "../../src/index.ts";
import { batchesIn, batchOf, ownKeys, sharedKey } from "./batches.ts";
import type { Expected } from "./expected.ts";

const writers = ["a", "b", "c"];

/**
 * Opens the store after its writers were killed, asserts that it contains what is expected, uses it again, and updates
 * `expected` to its content.
 */
export async function checkStore(url: string, expected: Expected, run: string): Promise<void> {
  const store = await postgresStore({ url, retryFor: 60_000 });
  try {
    const keys = [sharedKey, ...writers.flatMap(ownKeys)];
    for (const writer of writers) await checkLease(store, expected, writer);
    for (const key of keys) await checkLog(store, expected, key);
    await checkList(store, expected, keys);
    await checkProfiles(store, expected);
    for (const operation of expected.pending) await repeat(store, expected, operation);
    expected.pending = [];
    for (const key of keys) await goOn(store, expected, key, run);
    for (const key of keys) await checkSearch(store, expected, key);
  } finally {
    await store.close();
  }
}

async function checkLog(store: Store, expected: Expected, key: Key): Promise<void> {
  const { conversation } = key;
  const acknowledged = expected.logs.get(conversation) ?? new Map<string, number>();
  const found = batchesIn(await store.load(key), conversation);
  for (const [name, last] of acknowledged) {
    assert.equal(found.get(name), last, `${conversation}: acknowledged batch ${name}`);
  }
  for (const name of found.keys()) {
    const isKnown = acknowledged.has(name) || expected.pending.some((operation) => operation.name === name);
    assert.ok(isKnown, `${conversation}: batch ${name} was never appended`);
  }
  expected.logs.set(conversation, found);
}

async function checkList(store: Store, { logs }: Expected, keys: readonly Key[]): Promise<void> {
  for (const user of ["ada", undefined]) {
    const listed = await store.conversations({ user, limit: Number.POSITIVE_INFINITY });
    const wanted = keys.filter((key) => key.user === user && logs.get(key.conversation)?.size);
    assert.deepEqual(
      Object.fromEntries(listed.map(({ conversation, events }) => [conversation, events])),
      Object.fromEntries(wanted.map(({ conversation }) => [conversation, lastOf(logs.get(conversation))])),
      `the list of ${user}`,
    );
  }
}

async function checkProfiles(store: Store, { profiles }: Expected): Promise<void> {
  for (const [user, states] of profiles) {
    const stored = await store.loadProfile(user);
    const isExpected = states.some((state) => JSON.stringify(state) === JSON.stringify(stored));
    const isFirst = stored === null && states.length === 1 && states[0]?.version === 1;
    assert.ok(isExpected || isFirst, `profile of ${user}: ${JSON.stringify(stored)}, not ${JSON.stringify(states)}`);
    if (stored) profiles.set(user, [{ profile: String(stored.profile), version: stored.version }]);
    else profiles.delete(user);
  }
}

/** Asserts that the same owner gets its lease again at once, with a new token. */
async function checkLease(store: Store, expected: Expected, writer: string): Promise<void> {
  const lease = await store.lease(ownKeys(writer)[1], { owner: writer, ttl: 600_000 });
  assert.ok(lease.token > expected.token, `token ${lease.token} comes after token ${expected.token}`);
  expected.token = lease.token;
  await lease.release();
}

/** Sends a batch again of which its writer does not know whether it was stored. */
async function repeat(store: Store, expected: Expected, operation: Expected["pending"][number]): Promise<void> {
  const { key, name, count } = operation;
  const log = expected.logs.get(key.conversation) ?? new Map<string, number>();
  // The batch may have had no id, so a stored one is not sent again.
  if (log.has(name)) return;
  const last = await store.append(key, batchOf(name, count), { batch: name });
  assert.equal(last, lastOf(log) + count, `${key.conversation}: batch ${name} again`);
  expected.logs.set(key.conversation, log.set(name, last));
}

async function goOn(store: Store, expected: Expected, key: Key, run: string): Promise<void> {
  const log = expected.logs.get(key.conversation) ?? new Map<string, number>();
  const name = `${run}check`;
  const last = await store.append(key, batchOf(name, 2), { expected: lastOf(log) });
  assert.equal(last, lastOf(log) + 2, `${key.conversation}: an append after the crash`);
  expected.logs.set(key.conversation, log.set(name, last));
  await checkLog(store, expected, key);
}

/** Asserts that searches find every event of a random batch and of the newest one. */
async function checkSearch(store: Store, expected: Expected, key: Key): Promise<void> {
  const log = [...(expected.logs.get(key.conversation) ?? [])];
  const random = log[Math.floor(Math.random() * log.length)];
  for (const [name, last] of [random, log.at(-1)].filter((batch) => batch !== undefined)) {
    const matches = await store.search(name, { user: key.user, limit: 1000 });
    const seqs = matches.filter(({ conversation }) => conversation === key.conversation).map(({ seq }) => seq);
    const events = (await store.load(key)).filter((event) => "content" in event && event.content.startsWith(name));
    assert.deepEqual(
      seqs.sort((a, b) => a - b),
      events.map(({ seq }) => seq),
      `a search for ${name}`,
    );
    assert.ok(seqs.includes(last), `a search for ${name} finds event ${last}`);
  }
}

function lastOf(log: ReadonlyMap<string, number> | undefined): number {
  return Math.max(0, ...(log?.values() ?? []));
}
