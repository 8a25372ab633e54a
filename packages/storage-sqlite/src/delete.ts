import type { Key } from "@cogency/storage";
import type { Connection } from "./connection.ts";
import { emptyRows } from "./empty-rows.ts";
import { keyTexts } from "./names.ts";
import type { SearchIndex } from "./search-index.ts";

export type Delete = (key: Key) => Promise<boolean>;

export function prepareDelete({ database, write, truncateLog }: Connection, index: SearchIndex): Delete {
  const forgetLease = database.prepare("DELETE FROM leases WHERE user = ? AND name = ?");
  const deleteLog = database.prepare("DELETE FROM conversations WHERE user = ? AND name = ? RETURNING id");
  const deleteEvents = database.prepare("DELETE FROM events WHERE place BETWEEN $id << 32 AND $id << 32 | 4294967295");
  const addEmptyEvents = database.prepare(`
    INSERT INTO events (place, type, event, checksum) SELECT $id << 32 | value, '', '', 0 FROM json_each($rows)`);
  const deleteBatches = database.prepare("DELETE FROM batches WHERE conversation = ?");

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
    // secure_delete has overwritten it in the database; this empties the log of past writes, where it stands too.
    if (isChanged) await truncateLog();
    return existed;
  };
}
