import type { StatementSync } from "node:sqlite";
import type { Key } from "@cogency/storage";
import type { Database } from "./database/database.ts";
import { emptyRows } from "./rows/empty-rows.ts";
import { eventPlace, isPlaceOf } from "./rows/event-place.ts";
import { keyTexts } from "./rows/names.ts";
import type { SearchIndex } from "./search/search-index.ts";
import type { WatchedKeys } from "./watch/watched-keys.ts";

export type Delete = (key: Key) => Promise<boolean>;

export function prepareDelete({ sqlite, write, rewrite }: Database, index: SearchIndex, watched: WatchedKeys): Delete {
  const forgetLease = sqlite.prepare("DELETE FROM leases WHERE user = ? AND name = ?");
  const deleteKey = sqlite.prepare(
    "DELETE FROM keys WHERE user = ? AND name = ? RETURNING id, last_message AS messages",
  );
  const deleteLog = sqlite.prepare("DELETE FROM conversations WHERE id = ?");
  const deleteEvents = sqlite.prepare(`DELETE FROM events WHERE ${isPlaceOf("$id", "place")}`);
  const addEmptyEvents = sqlite.prepare(`
    INSERT INTO events (place, type, event, checksum) SELECT ${eventPlace("$id", "value")}, '', '', 0 FROM json_each($rows)`);
  const deleteMessages = sqlite.prepare(`DELETE FROM messages WHERE ${isPlaceOf("$id", "place")}`);
  const addEmptyMessages = sqlite.prepare(`
    INSERT INTO messages (place, id, message, posted_at, at, checksum)
    SELECT ${eventPlace("$id", "value")}, '', '', 0, 0, 0 FROM json_each($rows)`);
  const deleteIds = sqlite.prepare("DELETE FROM message_ids WHERE key = $id");
  const addEmptyIds = sqlite.prepare(
    "INSERT INTO message_ids (key, id, hash, checksum) SELECT $id, value, '', 0 FROM json_each($rows)",
  );
  const deleteRows = ["batches WHERE conversation", "timers WHERE key", "claims WHERE key"].map((rows) =>
    sqlite.prepare(`DELETE FROM ${rows} = ?`),
  );

  return async (key) => {
    const texts = keyTexts(key);
    const { user, name } = texts;
    const { existed, isChanged } = await write(() => {
      const { changes } = forgetLease.run(user, name);
      const found = deleteKey.get(user, name);
      if (!found) return { existed: false, isChanged: Number(changes) > 0 };
      const id = Number(found.id);
      if (Number(deleteLog.run(id).changes) > 0) {
        overwrite(id, deleteEvents, addEmptyEvents);
        index.remove(id, user);
      }
      if (Number(found.messages) > 0) {
        overwrite(id, deleteMessages, addEmptyMessages);
        overwrite(id, deleteIds, addEmptyIds);
      }
      for (const rows of deleteRows) rows.run(id);
      watched.all.touched(texts);
      watched.posts.touched(texts);
      return { existed: true, isChanged: true };
    });
    if (existed) await index.purge();
    // `secure_delete` has overwritten the rows in the database; this clears their copies in other pages and in the log.
    if (isChanged) await rewrite();
    return existed;
  };

  function overwrite(id: number, remove: StatementSync, addEmpty: StatementSync): void {
    remove.run({ id });
    addEmpty.run({ id, rows: JSON.stringify(emptyRows) });
    remove.run({ id });
  }
}
