import assert from "node:assert/strict";
import {
  type ConversationSummary,
  type Match,
  MessageConflictError,
  type StoredEvent,
  type StoredProfile,
  StoreError,
} from "@cogency/storage";
import { sqliteStore } from "../../src/index.ts";
import { type SoundStore, users, word } from "./sound-store.ts";

/**
 * Opens and reads a damaged store. Asserts that it returns a prefix of each log as it was written, or throws a
 * StoreError that names the path.
 *
 * @returns whether the store threw an error
 */
export async function checkDamaged(path: string, sound: SoundStore): Promise<boolean> {
  let hasFailed = false;
  const attempt = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      hasFailed = true;
      // A message whose id is lost is not in the inbox, and a message that is lost can be posted again.
      if (!(error instanceof MessageConflictError)) checkError(error, path);
      return undefined;
    }
  };
  const store = await attempt(sqliteStore({ path, busyTimeout: 100 }));
  if (!store) return true;
  for (const { key, events } of sound.logs) {
    const loaded: StoredEvent[] | undefined = await attempt(store.load(key));
    if (loaded) assert.deepEqual(loaded, events.slice(0, loaded.length), `the log of ${JSON.stringify(key)}`);
  }
  for (const user of users) {
    for (const summary of (await attempt(store.conversations({ user }))) ?? []) checkSummary(summary, user, sound);
    const found = await attempt(store.search(word, { user, limit: Number.POSITIVE_INFINITY }));
    for (const match of found ?? []) checkMatch(match, sound);
  }
  checkProfile((await attempt(store.loadProfile("ada"))) ?? null, sound);
  for (const { key, messages } of sound.inboxes) {
    const ids = messages.map(({ id }) => id);
    for (const message of (await attempt(store.inbox(key))) ?? []) {
      assert.deepEqual(message, messages[ids.indexOf(message.id)], `a message of ${JSON.stringify(key)}`);
    }
  }
  for (const { key } of (await attempt(store.parked())) ?? []) await attempt(store.unpark(key));
  for (const claim of (await attempt(store.claim({ owner: "o", limit: 100, ttl: 60_000 }))) ?? []) {
    const index = sound.inboxes.findIndex(({ key }) => JSON.stringify(key) === JSON.stringify(claim.key));
    assert.ok(index >= 0, `a claim of a conversation that was not written: ${JSON.stringify(claim.key)}`);
    for (const reason of claim.reasons) assert.ok(["inbox", `timer:timer ${index}`].includes(reason), reason);
    await attempt(store.done(claim));
  }
  for (const { key, messages } of sound.inboxes) {
    const takes = messages.slice(0, 1).map(({ id }) => id);
    await attempt(store.append(key, [{ type: "user", content: "Taken.", timestamp: 1 }], { takes }));
    await attempt(store.post(key, { kind: "cancel" }, { id: "new" }));
  }
  for (const { key } of sound.logs) {
    await attempt(store.append(key, [{ type: "user", content: "Still there?", timestamp: 1 }]));
  }
  await attempt(store.close());
  return hasFailed;
}

function checkError(error: unknown, path: string): void {
  assert.ok(error instanceof StoreError, `not a StoreError: ${error instanceof Error ? error.stack : error}`);
  assert.match(error.code, /^(corrupt|unavailable|newer_schema)$/, error.message);
  assert.ok(error.message.includes(path), `the message does not name the path: ${error.message}`);
}

/** Asserts that the summary is that of the first events of the log. */
function checkSummary(summary: ConversationSummary, user: string | undefined, { logs }: SoundStore): void {
  const log = logs.find(({ key }) => key.user === user && key.conversation === summary.conversation);
  assert.ok(log, `the list of ${user} holds a conversation that was not written: ${summary.conversation}`);
  const last = log.events[summary.events - 1];
  assert.deepEqual(summary, { ...log.summary, events: last?.seq, updatedAt: last?.timestamp }, "a summary");
}

function checkMatch({ conversation, seq, excerpt }: Match, { matches }: SoundStore): void {
  const isWritten = matches.some(
    (match) => match.conversation === conversation && match.seq === seq && match.excerpt === excerpt,
  );
  assert.ok(isWritten, `the search found what was not written: ${conversation}, event ${seq}: ${excerpt}`);
}

function checkProfile(actual: StoredProfile | null, { profiles }: SoundStore): void {
  const isWritten = [null, ...profiles].some((one) => JSON.stringify(one) === JSON.stringify(actual));
  assert.ok(isWritten, `the profile is ${JSON.stringify(actual)}`);
}
