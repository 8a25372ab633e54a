import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import type { ConversationSummary, Key, Match, StoredEvent, StoredMessage, StoredProfile } from "@cogency/storage";
import { sqliteStore } from "../../src/index.ts";

/** A store before it is damaged: its files and its content. */
export interface SoundStore {
  database: Buffer;
  /** The write-ahead log that a killed process left. */
  wal: Buffer | undefined;
  logs: { key: Key; summary: ConversationSummary; events: StoredEvent[] }[];
  /** One after the other. */
  profiles: StoredProfile[];
  matches: Match[];
  /** All messages that were posted. Some of them were taken later. */
  inboxes: { key: Key; messages: StoredMessage[] }[];
}

export const users = [undefined, "ada"];
/** A word of most events. */
export const word = "platypus";

/**
 * Writes a store below `folder`. With `isKilled` it returns the files that a killed process leaves, half in the WAL.
 */
export async function soundStore(folder: string, isKilled: boolean): Promise<SoundStore> {
  const path = join(folder, "sound.db");
  const keys = users.flatMap((user) =>
    ["one", "two", "three", "four"].map((conversation) => keyOf(conversation, user)),
  );
  let store = await sqliteStore({ path });
  for (const [index, key] of keys.entries())
    await store.append(key, eventsOf(`early ${index}`, 10), { batch: "early" });
  await store.saveProfile("ada", { likes: "early things" });
  await store.search(word, { user: "ada" });
  await store.close();
  store = await sqliteStore({ path });
  for (const [index, key] of keys.entries()) await store.append(key, eventsOf(`late ${index}`, 5), { batch: "late" });
  await store.saveProfile("ada", { likes: "late things" });
  const inboxes: SoundStore["inboxes"] = [];
  for (const [index, key] of keys.entries()) {
    for (let count = 0; count < 6; count++) {
      await store.post(key, { kind: "prompt", content: `Message ${count} of ${index}` }, { id: `message ${count}` });
    }
    await store.wake(key, { id: `timer ${index}`, at: 0 });
    inboxes.push({ key, messages: await store.inbox(key) });
    await store.append(key, eventsOf(`taken ${index}`, 1), { takes: ["message 1", "message 2"] });
  }
  // One is claimed and not settled, one is parked.
  const [, parked] = await store.claim({ owner: "gone", limit: 2, ttl: 60_000 });
  if (parked) await store.park(parked, "why");
  const logs: SoundStore["logs"] = [];
  for (const user of users) {
    for (const summary of await store.conversations({ user })) {
      const key = keyOf(summary.conversation, user);
      logs.push({ key, summary, events: await store.load(key) });
    }
  }
  const profiles = ["early things", "late things"].map((likes, index) => ({ profile: { likes }, version: index + 1 }));
  const found = users.map((user) => store.search(word, { user, limit: Number.POSITIVE_INFINITY }));
  const matches = (await Promise.all(found)).flat();
  const copy = join(folder, "copy.db");
  if (!isKilled) await store.close();
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  await store.close();
  const wal = isKilled ? readFileSync(`${copy}-wal`) : undefined;
  return { database: readFileSync(copy), wal, logs, profiles, matches, inboxes };
}

function keyOf(conversation: string, user: string | undefined): Key {
  return user === undefined ? { conversation } : { conversation, user };
}

/** One in seven is longer than a page of the database. */
function eventsOf(name: string, count: number): LogEvent[] {
  return Array.from({ length: count }, (_, index): LogEvent => {
    const long = index % 7 === 3 ? ` ${"A long text. ".repeat(500)}` : "";
    const content = `The ${word} of ${name} has number ${index}.${long}`;
    return { type: index % 2 === 0 ? "user" : "respond", content, timestamp: 1_700_000_000 + index };
  });
}
