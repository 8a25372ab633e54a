import type { Parked, Store } from "@cogency/storage";
import type { Database } from "../database/database.ts";
import { atOnce } from "../rows/due-time.ts";
import { keyOf } from "../rows/key-row.ts";
import { keyTexts, scopeText } from "../rows/names.ts";
import { unsealed } from "../rows/sealed.ts";
import type { Due } from "./due.ts";

/** @param clock returns Unix time in milliseconds */
export function prepareParked(
  { sqlite, path, refuseIfClosed, read, write }: Database,
  due: Due,
  clock: () => number,
): Pick<Store, "parked" | "unpark"> {
  const findParked = sqlite.prepare(`
    SELECT id, user, name, scope, checksum, parked_reason AS reason, parked_at AS parkedAt FROM keys
    WHERE scope = ? AND parked_at IS NOT NULL ORDER BY parked_at, id LIMIT 1000`);
  const unpark = sqlite.prepare(`
    UPDATE keys SET parked_at = NULL, parked_reason = NULL, attempts = 0, held_at = ?
    WHERE user = ? AND name = ? AND parked_at IS NOT NULL RETURNING id`);

  return {
    async parked({ scope } = {}) {
      refuseIfClosed();
      const rows = await read(() => findParked.all(scopeText(scope)));
      return rows.map(
        (row): Parked => ({
          key: keyOf(row, path),
          reason: unsealed(Number(row.id), row.reason, "why a conversation is parked", path),
          parkedAt: Number(row.parkedAt),
        }),
      );
    },

    async unpark(key) {
      refuseIfClosed();
      const { user, name } = keyTexts(key);
      return write(() => {
        const row = unpark.get(atOnce(clock()), user, name);
        if (row) due.update(Number(row.id));
        return row !== undefined;
      });
    },
  };
}
