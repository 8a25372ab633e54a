import type { Key } from "@cogency/storage";
import type { Database } from "./database/database.ts";
import { emptyRows } from "./rows/empty-rows.ts";
import { eventPlace, isPlaceOf } from "./rows/event-place.ts";
import { keyTexts } from "./rows/names.ts";
import type { SearchIndex } from "./search/search-index.ts";

export type Delete = (key: Key) => Promise<boolean>;

export function prepareDelete({ sqlite, write, truncateLog }: Database, index: SearchIndex): Delete {
  const forgetLease = sqlite.prepare("DELETE FROM leases WHERE user = ? AND name = ?");
  const deleteLog = sqlite.prepare("DELETE FROM conversations WHERE user = ? AND name = ? RETURNING id");
  const deleteEvents = sqlite.prepare(`DELETE FROM events WHERE ${isPlaceOf("$id", "place")}`);
  const addEmptyEvents = sqlite.prepare(`
    INSERT INTO events (place, type, event, checksum) SELECT ${eventPlace("$id", "value")}, '', '', 0 FROM json_each($rows)`);
  const deleteBatches = sqlite.prepare("DELETE FROM batches WHERE conversation = ?");

  return async (key) => {
    const { user, name } = keyTexts(key);
    const { existed, isChanged } = await write(() => {
      const { changes } = forgetLease.run(user, name);
      const id = deleteLog.get(user, name)?.id;
      if (id === undefined) return { existed: false, isChanged: Number(changes) > 0 };
      deleteEvents.run({ id: Number(id) });
      addEmptyEvents.run({ id: Number(id), rows: JSON.stringify(emptyRows) });
      deleteEvents.run({ id: Number(id) });
      deleteBatches.run(Number(id));
      index.remove(Number(id), user);
      return { existed: true, isChanged: true };
    });
    if (existed) await index.purge();
    // `secure_delete` has overwritten the events in the database; this clears their copies in the write-ahead log.
    if (isChanged) await truncateLog();
    return existed;
  };
}
