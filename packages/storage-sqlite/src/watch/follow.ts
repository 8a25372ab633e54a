import type { Key, StoredEvent } from "@cogency/storage";
import { type FollowOptions, followLog } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { keyTexts } from "../rows/names.ts";
import { type LogRange, selectLogEnd } from "../rows/stored-event.ts";
import type { WatchedKeys } from "./watched-keys.ts";

export type Follow = (key: Key, options?: FollowOptions) => AsyncIterable<StoredEvent>;

export function prepareFollow(
  { sqlite, refuseIfClosed, read }: Database,
  range: LogRange,
  watched: WatchedKeys,
): Follow {
  const findLog = sqlite.prepare(selectLogEnd);

  return (key, options = {}) => {
    const texts = keyTexts(key);
    let followed: number | undefined;
    const readPage = async (after: number): Promise<StoredEvent[] | "deleted"> => {
      refuseIfClosed();
      return read(() => {
        const log = findLog.get(texts.user, texts.name);
        if (followed !== undefined && log?.id !== followed) return "deleted";
        if (!log) return [];
        followed = Number(log.id);
        return range(followed, after + 1, Math.min(Number(log.last ?? 0), after + pageSize));
      });
    };
    return followLog({ read: readPage, change: (signal) => watched.all.change(texts, signal) }, options);
  };
}

/** How many events one read returns. */
const pageSize = 500;
