import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import { atOnceOf } from "../rows/due-time.ts";
import { eventPlace } from "../rows/event-place.ts";
import type { Watched } from "../watch/watched.ts";

/** Keeps the column `due_at` of `keys`: when a conversation can be claimed. */
export interface Due {
  /** Must be called inside the write that changes what the key is due for, after the change. */
  update(key: number): void;
}

/** @param scopes the rows of `wake_scopes` that somebody watches */
export function prepareDue({ sqlite, path }: Database, scopes: Watched): Due {
  const find = sqlite.prepare(`SELECT scope, due_at AS before, ${dueAt("lease_at")} AS after FROM keys WHERE id = ?`);
  const set = sqlite.prepare("UPDATE keys SET due_at = ? WHERE id = ?");
  const countUp = sqlite.prepare(`
    INSERT INTO wake_scopes (scope, version) VALUES (?, 1)
    ON CONFLICT (scope) DO UPDATE SET version = version + 1`);

  return {
    update(key) {
      const times = find.get(key) as Times | undefined;
      if (!times) throw damaged(path, "a conversation has lost its row in the table of keys");
      const { scope, before, after } = times;
      if (before === after) return;
      set.run(after, key);
      if (after === null) return;
      countUp.run(scope);
      scopes.touched([scope]);
    },
  };
}

interface Times {
  scope: string;
  before: number | null;
  after: number | null;
}

/**
 * An SQL expression for the `due_at` of a row in `keys`: the end of its claim, or the earliest of what it is due for.
 *
 * @param leaseAt an expression for its `lease_at`
 */
export const dueAt = (leaseAt: string) => `
  CASE WHEN parked_at IS NULL THEN coalesce(
    (SELECT expires_at FROM claims WHERE key = keys.id),
    nullif(min(
      coalesce(held_at, 9e999),
      coalesce(${leaseAt}, 9e999),
      coalesce((SELECT min(at) FROM timers WHERE key = keys.id), 9e999),
      coalesce((SELECT ${atOnceOf("posted_at")} FROM messages
        WHERE key = keys.id AND at IS NULL AND place > ${eventPlace("keys.id", "seen_message")} ORDER BY place LIMIT 1), 9e999),
      coalesce((SELECT min(at) FROM messages WHERE key = keys.id AND at > seen_at), 9e999),
      coalesce((SELECT min(at) FROM messages
        WHERE key = keys.id AND at <= seen_at AND place > ${eventPlace("keys.id", "seen_message")}), 9e999)
    ), 9e999)
  ) END`;
