import { type FollowOptions, followLog, type Key, type StoredEvent } from "@cogency/storage";
import type { Connection } from "./connection.ts";
import type { LogRange } from "./log-range.ts";
import { keyTexts } from "./names.ts";
import { watchChanges } from "./watch-changes.ts";

export type Follow = (key: Key, options: FollowOptions) => AsyncIterable<StoredEvent>;

export function prepareFollow(connection: Connection, range: LogRange): Follow {
  const { database, refuseIfClosed, read } = connection;
  const findLog = database.prepare(`
    SELECT id,
      (SELECT max(place) FROM events WHERE place BETWEEN id << 32 AND id << 32 | 4294967295) & 4294967295 AS last
    FROM conversations WHERE user = ? AND name = ?`);
  const change = watchChanges(connection);

  return (key, options) => {
    const { user, name } = keyTexts(key);
    let followed: number | undefined;
    const readPage = async (after: number): Promise<StoredEvent[] | "deleted"> => {
      refuseIfClosed();
      return read(() => {
        const log = findLog.get(user, name);
        if (followed !== undefined && log?.id !== followed) return "deleted";
        if (!log) return [];
        followed = Number(log.id);
        return range(followed, after + 1, Math.min(Number(log.last ?? 0), after + pageSize));
      });
    };
    return followLog({ read: readPage, change }, options);
  };
}

/** How many events are read at once. */
const pageSize = 500;
