import { type Key, type LoadOptions, loadCount, type StoredEvent } from "@cogency/storage";
import type { Connection } from "./connection.ts";
import { limitOf } from "./limit-of.ts";
import type { LogRange } from "./log-range.ts";
import { keyTexts } from "./names.ts";
import { eventColumns, storedEvent } from "./stored-event.ts";

export type Load = (key: Key, options: LoadOptions | undefined) => StoredEvent[] | Promise<StoredEvent[]>;

export function prepareLoad({ database, path, read }: Connection, range: LogRange): Load {
  const findLog = database.prepare(`
    SELECT id,
      (SELECT max(place) FROM events WHERE place BETWEEN id << 32 AND id << 32 | 4294967295) & 4294967295 AS last
    FROM conversations WHERE user = ? AND name = ?`);
  const ofTypes = (order: string) =>
    database.prepare(`
    SELECT ${eventColumns} FROM events
    WHERE place > ($id << 32 | $start) AND place <= ($id << 32 | $end)
      AND type IN (SELECT value FROM json_each($types))
    ORDER BY place ${order} LIMIT $limit`);
  const firstOfTypes = ofTypes("ASC");
  const lastOfTypes = ofTypes("DESC");

  return (key, options = {}) => {
    const { most, fromStart } = loadCount(options);
    const { after = 0, types } = options;
    const start = Math.floor(Math.max(0, after));
    const { user, name } = keyTexts(key);
    return read(() => {
      const log = findLog.get(user, name);
      const id = Number(log?.id);
      const end = Number(log?.last ?? 0);
      // Written so that a start that is no number finds nothing.
      if (!(start < end)) return [];
      if (!types) {
        return fromStart
          ? range(id, start + 1, Math.min(end, start + most))
          : range(id, Math.max(start, end - most) + 1, end);
      }
      const wanted = { id, start, end, types: JSON.stringify(types), limit: limitOf(most) };
      const rows = fromStart ? firstOfTypes.all(wanted) : lastOfTypes.all(wanted).reverse();
      return rows.map((row) => storedEvent(row, path));
    });
  };
}
