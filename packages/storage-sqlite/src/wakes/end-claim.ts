import type { Claim, Store } from "@cogency/storage";
import { finiteTime, leaseTtl } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { dueTimeOf } from "../rows/due-time.ts";
import { keyTexts } from "../rows/names.ts";
import { sealed } from "../rows/sealed.ts";
import type { Due } from "./due.ts";

export type EndClaim = Pick<Store, "done" | "defer" | "renewClaim" | "park">;

/**
 * How claims end, and how their end is moved.
 *
 * @param clock returns Unix time in milliseconds
 */
export function prepareEndClaim({ sqlite, refuseIfClosed, write }: Database, due: Due, clock: () => number): EndClaim {
  const endClaim = sqlite.prepare(`
    DELETE FROM claims WHERE token = ? AND expires_at > ? AND key = (SELECT id FROM keys WHERE user = ? AND name = ?)
    RETURNING key`);
  const renewClaim = sqlite.prepare(`
    UPDATE claims SET expires_at = ? WHERE token = ? AND expires_at > ? AND key = (SELECT id FROM keys WHERE user = ? AND name = ?)
    RETURNING key`);
  const hold = sqlite.prepare("UPDATE keys SET held_at = ? WHERE id = ?");
  const done = sqlite.prepare("UPDATE keys SET reasons = NULL, held_at = NULL, attempts = 0 WHERE id = ?");
  const defer = sqlite.prepare("UPDATE keys SET held_at = ?, attempts = attempts - 1 WHERE id = ?");
  const park = sqlite.prepare("UPDATE keys SET parked_at = ?, parked_reason = ? WHERE id = ?");

  return {
    done: async (claim) => end(claim, (key) => done.run(key)),

    async defer(claim, at) {
      refuseIfClosed();
      finiteTime("at", at);
      return end(claim, (key) => defer.run(dueTimeOf(at), key));
    },

    async renewClaim({ key, token }, ttl) {
      refuseIfClosed();
      leaseTtl(ttl);
      const { user, name } = keyTexts(key);
      return write(() => {
        const now = clock();
        const row = renewClaim.get(now + ttl, token, now, user, name);
        if (!row) return false;
        const id = Number(row.key);
        hold.run(now + ttl, id);
        due.update(id);
        return true;
      });
    },

    park: async (claim, reason) => end(claim, (key, now) => park.run(now, sealed(key, reason), key)),
  };

  async function end({ key, token }: Claim, change: (key: number, now: number) => unknown): Promise<boolean> {
    refuseIfClosed();
    const { user, name } = keyTexts(key);
    return write(() => {
      const now = clock();
      const row = endClaim.get(token, now, user, name);
      if (!row) return false;
      const id = Number(row.key);
      change(id, now);
      due.update(id);
      return true;
    });
  }
}
