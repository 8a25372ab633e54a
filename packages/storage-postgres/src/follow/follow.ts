import type { Key, Store, StoredEvent } from "@cogency/storage";
import { type FollowOptions, followLog } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { keyNames } from "../rows/names.ts";
import { storedEvent } from "../rows/stored-event.ts";
import type { Notifications } from "./notifications.ts";

export function prepareFollow(
  { schema, location, run, refuseIfClosed }: Database,
  notifications: Notifications,
): Store["follow"] {
  const statement = `SELECT c.id, e.seq, e.event FROM ${schema}.conversations c
    LEFT JOIN LATERAL (
      SELECT seq, event, sum(octet_length(event)) OVER (ORDER BY seq) - octet_length(event) AS before FROM (
        SELECT seq, event FROM ${schema}.events WHERE conversation = c.id AND seq > $2 ORDER BY seq LIMIT ${pageSize}
      ) page
    ) e ON e.before < ${pageBytes}
    WHERE c.key = $1 AND c.events > 0 ORDER BY e.seq`;

  return (key, options = {}) => follow(key, options);

  async function* follow(key: Key, options: FollowOptions): AsyncGenerator<StoredEvent, void, undefined> {
    const { key: keyHash } = keyNames(key);
    let followed: unknown;
    const read = async (after: number): Promise<StoredEvent[] | "deleted"> => {
      const rows = await run(statement, [keyHash, Math.min(after, Number.MAX_SAFE_INTEGER)]);
      const id = rows[0]?.[0];
      if (followed !== undefined && id !== followed) return "deleted";
      followed = id;
      return rows.filter(([, seq]) => seq !== null).map(([, seq, text]) => storedEvent(Number(seq), text, location));
    };
    refuseIfClosed();
    notifications.enter();
    try {
      yield* followLog({ read, change: (signal) => notifications.next(keyHash, signal) }, options);
    } finally {
      notifications.leave();
    }
  }
}

/** How many events one read returns at most. */
const pageSize = 500;

/** Bytes after which one read returns no further event: a reader that is slow holds no more than that and one event. */
const pageBytes = 4_000_000;
