import type { Key, StoredEvent } from "@cogency/storage";
import { type LoadOptions, loadCount } from "@cogency/storage/adapter";
import type { Database } from "./database/database.ts";
import { eventPlace } from "./rows/event-place.ts";
import { limitOf } from "./rows/limit-of.ts";
import { keyTexts } from "./rows/names.ts";
import { eventColumns, type LogRange, selectLogEnd, storedEvent } from "./rows/stored-event.ts";

export type Load = (key: Key, options: LoadOptions | undefined) => StoredEvent[] | Promise<StoredEvent[]>;

export function prepareLoad({ sqlite, path, read }: Database, range: LogRange): Load {
  const findLog = sqlite.prepare(selectLogEnd);
  const ofTypes = (order: string) =>
    sqlite.prepare(`
    SELECT ${eventColumns} FROM events
    WHERE place > ${eventPlace("$id", "$start")} AND place <= ${eventPlace("$id", "$end")}
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
      // Negated so that a start of NaN finds nothing.
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
