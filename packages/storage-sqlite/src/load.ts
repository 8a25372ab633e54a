import { type Key, type LoadOptions, type StoredEvent, wholeCount } from "@cogency/storage";
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
  const lastOfTypes = database.prepare(`
    SELECT ${eventColumns} FROM events
    WHERE place > ($id << 32 | $start) AND place <= ($id << 32 | $end)
      AND type IN (SELECT value FROM json_each($types))
    ORDER BY place DESC LIMIT $limit`);

  return (key, { after = 0, last = Number.POSITIVE_INFINITY, types } = {}) => {
    const most = wholeCount("last", last);
    const start = Math.floor(Math.max(0, after));
    const { user, name } = keyTexts(key);
    return read(() => {
      const log = findLog.get(user, name);
      const id = Number(log?.id);
      const end = Number(log?.last ?? 0);
      // Written so that a start that is no number finds nothing.
      if (!(start < end)) return [];
      if (!types) return range(id, Math.max(start, end - most) + 1, end);
      const wanted = { id, start, end, types: JSON.stringify(types), limit: limitOf(most) };
      return lastOfTypes
        .all(wanted)
        .reverse()
        .map((row) => storedEvent(row, path));
    });
  };
}
