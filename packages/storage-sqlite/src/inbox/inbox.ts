import { createHash } from "node:crypto";
import { type InboxMessage, type Key, MessageConflictError, type StoredMessage } from "@cogency/storage";
import { finiteTime, messageText, type PostOptions } from "@cogency/storage/adapter";
import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import { eventPlace, isPlaceOf } from "../rows/event-place.ts";
import { keyTexts } from "../rows/names.ts";
import type { Due, Keys } from "../wakes/keys.ts";
import type { WatchedKeys } from "../watch/watched-keys.ts";
import { hasCome, type MessageIds, messageChecksum, messageColumns, storedMessage } from "./message-row.ts";

export type Inbox = (key: Key) => StoredMessage[] | Promise<StoredMessage[]>;

/** @param clock returns Unix time in milliseconds */
export function prepareInbox({ sqlite, path, read }: Database, keys: Keys, clock: () => number): Inbox {
  const findMessages = sqlite.prepare(`
    SELECT ${messageColumns} FROM messages WHERE ${isPlaceOf("$key", "place")} AND ${hasCome} ORDER BY place`);

  return (key) => {
    const texts = keyTexts(key);
    return read(() => {
      const number = keys.find(texts);
      if (number === undefined) return [];
      return findMessages.all({ key: number, now: clock() }).map((row) => storedMessage(row, path));
    });
  };
}

export type Post = (key: Key, message: InboxMessage, options: PostOptions) => void | Promise<void>;

interface Parts {
  keys: Keys;
  ids: MessageIds;
  due: Due;
  watched: WatchedKeys;
}

/** @param clock returns Unix time in milliseconds */
export function preparePost({ sqlite, write }: Database, parts: Parts, clock: () => number): Post {
  const { keys, ids, due, watched } = parts;
  const count = sqlite.prepare(
    "UPDATE keys SET last_message = last_message + 1 WHERE id = ? RETURNING last_message AS seq",
  );
  const add = sqlite.prepare(`
    INSERT INTO messages (place, id, message, posted_at, at, checksum) VALUES (${eventPlace("?", "?")}, ?, ?, ?, ?, ?)`);

  return (key, message, { id, at, scope }) => {
    const text = messageText(message);
    if (at !== undefined) finiteTime("at", at);
    const hash = createHash("sha256").update(text).digest("base64url");
    const texts = keyTexts(key);
    const idText = JSON.stringify(id);

    return write(() => {
      const number = keys.write(texts, scope);
      const known = ids.find(number, idText);
      if (known?.hash === hash) return;
      if (known) throw new MessageConflictError(id, "used");
      const postedAt = clock();
      const time = at !== undefined && at > postedAt ? at : null;
      const seq = Number(count.get(number)?.seq);
      const checksum = messageChecksum(number, seq, idText, text, postedAt, time);
      add.run(number, seq, idText, text, postedAt, time, checksum);
      ids.add(number, idText, hash, seq);
      due.update(number);
      watched.all.touched(texts);
      watched.posts.touched(texts);
    });
  };
}

/**
 * Takes messages out of the inbox of a key, by their ids. Must be called inside the transaction that appends.
 *
 * @throws MessageConflictError for a message that is not in the inbox
 */
export type TakeMessages = (key: number | undefined, ids: readonly string[]) => void;

/** @param clock returns Unix time in milliseconds */
export function prepareTakeMessages({ sqlite, path }: Database, ids: MessageIds, clock: () => number): TakeMessages {
  const find = sqlite.prepare(`
    SELECT ${messageColumns}, ${hasCome} AS hasCome FROM messages WHERE place = ${eventPlace("$key", "$seq")}`);
  const remove = sqlite.prepare(`DELETE FROM messages WHERE place = ${eventPlace("?", "?")}`);

  return (key, taken) => {
    const now = clock();
    for (const id of taken) if (key === undefined || !take(key, id, now)) throw new MessageConflictError(id, "absent");
  };

  /** Returns whether the message was in the inbox. */
  function take(key: number, id: string, now: number): boolean {
    const text = JSON.stringify(id);
    const seq = ids.find(key, text)?.seq ?? null;
    if (seq === null) return false;
    const row = find.get({ key, seq, now });
    if (!row || storedMessage(row, path).id !== id) throw damaged(path, `message ${seq} of an inbox is missing`);
    if (row.hasCome !== 1) return false;
    remove.run(key, seq);
    ids.setTaken(key, text);
    return true;
  }
}
