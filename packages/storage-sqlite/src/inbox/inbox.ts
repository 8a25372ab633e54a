import type { Key, StoredMessage } from "@cogency/storage";
import type { Database } from "../database/database.ts";
import { isPlaceOf } from "../rows/event-place.ts";
import { keyTexts } from "../rows/names.ts";
import type { Keys } from "../wakes/keys.ts";
import { hasCome, messageColumns, storedMessage } from "./message-row.ts";

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
