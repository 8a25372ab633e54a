import { type FollowOptions, followLog, type Key, type StoredEvent } from "@cogency/storage";
import type { Database } from "../database/database.ts";
import { selectLogEnd } from "../rows/conversation-row.ts";
import type { LogRange } from "../rows/log-range.ts";
import { keyTexts } from "../rows/names.ts";
import { watchChanges } from "./watch-changes.ts";

export type Follow = (key: Key, options: FollowOptions) => AsyncIterable<StoredEvent>;

export function prepareFollow(database: Database, range: LogRange): Follow {
  const { sqlite, refuseIfClosed, read } = database;
  const findLog = sqlite.prepare(selectLogEnd);
  const change = watchChanges(database);

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

/** How many events one read returns. */
const pageSize = 500;
