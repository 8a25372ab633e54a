import { createHash } from "node:crypto";
import { type InboxMessage, type Key, MessageConflictError } from "@cogency/storage";
import { finiteTime, messageText, type PostOptions } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { eventPlace } from "../rows/event-place.ts";
import { keyTexts } from "../rows/names.ts";
import type { Due } from "../wakes/due.ts";
import type { Keys } from "../wakes/keys.ts";
import type { WatchedKeys } from "../watch/watched-keys.ts";
import type { MessageIds } from "./message-ids.ts";
import { messageChecksum } from "./message-row.ts";

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
