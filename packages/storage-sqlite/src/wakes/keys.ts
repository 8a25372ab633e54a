import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import { keyChecksum } from "../rows/key-row.ts";
import { type KeyTexts, scopeText } from "../rows/names.ts";

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
