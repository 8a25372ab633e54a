import type { Database } from "./database/database.ts";
import { isOwnerGone } from "./lease-owner.ts";
import type { Due } from "./wakes/keys.ts";

/** Ends what processes of this machine have left behind that are known to have ended, as if its time was over. */
export interface GoneOwners {
  /**
   * Ends the leases, claims and slots whose owners have names of `leaseOwner`. Must be called inside a write. Looks a few times a second
   * at most.
   *
   * @param now Unix milliseconds
   */
  end(now: number): void;
}

export function prepareGoneOwners({ sqlite }: Database, due: Due): GoneOwners {
  // The name of a run or a worker begins with that of its process, up to "#". Owners are JSON text.
  const findNames = (table: string) => `
    SELECT iif(instr(owner, '#') > 0, substr(owner, 1, instr(owner, '#')), owner) AS name FROM ${table}
    WHERE expires_at > $now AND owner LIKE '"process %'`;
  const find = sqlite.prepare(["leases", "claims", "slots"].map(findNames).join(" UNION "));
  const isOf = "expires_at > $now AND substr(owner, 1, length($name)) = $name";
  const endLeases = sqlite.prepare(`UPDATE leases SET expires_at = $now WHERE ${isOf} RETURNING user, name`);
  const endClaims = sqlite.prepare(`UPDATE claims SET expires_at = $now WHERE ${isOf} RETURNING key`);
  const endSlots = sqlite.prepare(`DELETE FROM slots WHERE ${isOf}`);
  // What was put off until the end of the lease is due now.
  const leaseEnds = sqlite.prepare(`
    UPDATE keys SET lease_at = min(lease_at, $now), held_at = min(held_at, $now) WHERE user = $user AND name = $name RETURNING id`);
  const claimEnds = sqlite.prepare("UPDATE keys SET held_at = min(held_at, $now) WHERE id = $id");
  let lookedAt = Number.NEGATIVE_INFINITY;

  return {
    end(now) {
      if (performance.now() - lookedAt < interval) return;
      lookedAt = performance.now();
      for (const { name } of find.all({ now })) if (isOwnerGone(String(name).slice(1))) endAll(String(name), now);
    },
  };

  function endAll(name: string, now: number): void {
    endSlots.run({ name, now });
    const keys = new Set<number>();
    for (const { key } of endClaims.all({ name, now })) {
      claimEnds.run({ id: Number(key), now });
      keys.add(Number(key));
    }
    for (const { user, name: of } of endLeases.all({ name, now })) {
      const key = leaseEnds.get({ user: String(user), name: String(of), now });
      if (key) keys.add(Number(key.id));
    }
    for (const key of keys) due.update(key);
  }
}

/** Milliseconds between two looks. */
const interval = 300;
