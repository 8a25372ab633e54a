import type { Key, StoredEvent } from "@cogency/storage";
import { type FollowOptions, followLog } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { keyTexts } from "../rows/names.ts";
import { type LogRange, selectFitting, selectLogEnd } from "../rows/stored-event.ts";
import type { WatchedKeys } from "./watched-keys.ts";

export type Follow = (key: Key, options?: FollowOptions) => AsyncIterable<StoredEvent>;

export function prepareFollow(
  { sqlite, refuseIfClosed, read }: Database,
  range: LogRange,
  watched: WatchedKeys,
): Follow {
  const findLog = sqlite.prepare(selectLogEnd);
  const countFitting = sqlite.prepare(selectFitting);

  const fitting = (id: number, first: number, last: number) => {
    const count = Number(countFitting.get({ id, first, last, bytes: pageBytes })?.count);
    // What is missing between the two is told by the read.
    return Math.max(count, 1);
  };

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
        const last = Math.min(Number(log.last ?? 0), after + pageSize);
        return range(followed, after + 1, last - after < 2 ? last : after + fitting(followed, after + 1, last));
      });
    };
    return followLog({ read: readPage, change: (signal) => watched.all.change(texts, signal) }, options);
  };
}

/** How many events one read returns at most. */
const pageSize = 500;

/** Bytes after which one read returns no further event: a reader that is slow holds no more than that and one event. */
const pageBytes = 4_000_000;
