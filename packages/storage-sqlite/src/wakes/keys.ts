import type { Store } from "@cogency/storage";
import { finiteTime } from "@cogency/storage/adapter";
import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import { rowChecksum } from "../rows/checksum.ts";
import { atOnceOf, dueTimeOf } from "../rows/due-time.ts";
import { eventPlace } from "../rows/event-place.ts";
import { type KeyTexts, keyChecksum, keyTexts, scopeText } from "../rows/names.ts";
import type { Watched } from "../watch/watched.ts";

/** The keys that were written. Must be called inside a transaction. */
export interface Keys {
  /**
   * Returns the id of a key, or undefined if it was never written.
   *
   * @throws StoreError `corrupt` if the row that SQLite finds is that of another key
   */
  find(key: KeyTexts): number | undefined;
  /**
   * Returns the id of a key that is being written. If this is its first write, it adds the key, whose scope is then fixed; the
   * caller must then update when it is due (`Due`).
   *
   * @throws StoreError `corrupt` if the key has a log, but no row
   */
  write(key: KeyTexts, scope: string | undefined): number;
}

/** @param clock returns Unix time in milliseconds */
export function prepareKeys({ sqlite, path }: Database, clock: () => number): Keys {
  const findKey = sqlite.prepare("SELECT id, scope, checksum FROM keys WHERE user = ? AND name = ?");
  const addKey = sqlite.prepare(`
    INSERT INTO keys (user, name, scope, checksum, lease_at)
    SELECT $user, $name, $scope, $checksum,
      (SELECT expires_at FROM leases WHERE user = $user AND name = $name AND expires_at > $now)
    WHERE NOT EXISTS (SELECT 1 FROM conversations WHERE user = $user AND name = $name)
    RETURNING id`);

  return { find, write };

  function find({ user, name }: KeyTexts): number | undefined {
    const row = findKey.get(user, name);
    if (!row) return undefined;
    // Damage to the index must not open the inbox of another user.
    if (keyChecksum(user, name, String(row.scope)) === row.checksum) return Number(row.id);
    throw damaged(path, `the row of conversation ${name} is not what was stored (its checksum differs)`);
  }

  function write({ user, name }: KeyTexts, scopeOfWriter: string | undefined): number {
    const id = find({ user, name });
    if (id !== undefined) return id;
    const scope = scopeText(scopeOfWriter);
    const row = addKey.get({ user, name, scope, checksum: keyChecksum(user, name, scope), now: clock() });
    if (!row) throw damaged(path, `conversation ${name} has lost its row in the table of keys`);
    return Number(row.id);
  }
}

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

export function prepareWake({ sqlite, refuseIfClosed, write }: Database, keys: Keys, due: Due): Store["wake"] {
  const setTimer = sqlite.prepare("INSERT OR REPLACE INTO timers (key, id, at, checksum) VALUES (?, ?, ?, ?)");

  return async (key, { id, at, scope }) => {
    refuseIfClosed();
    finiteTime("at", at);
    const texts = keyTexts(key);
    const text = JSON.stringify(id);
    const time = dueTimeOf(at);
    await write(() => {
      const number = keys.write(texts, scope);
      setTimer.run(number, text, time, timerChecksum(number, text, time));
      due.update(number);
    });
  };
}

/** The checksum of a row in `timers`. */
export function timerChecksum(key: number, id: string, at: number): number {
  return rowChecksum(key, id, at);
}
