import type { Claim, Store } from "@cogency/storage";
import { type ClaimOptions, claimLimits, finiteTime, leaseTtl } from "@cogency/storage/adapter";
import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import type { GoneOwners } from "../gone-owners.ts";
import { sealed, unsealed } from "../rows/checksum.ts";
import { dueTimeOf, timeOfDue } from "../rows/due-time.ts";
import { eventPlace } from "../rows/event-place.ts";
import { keyOf, keyTexts, scopeText } from "../rows/names.ts";
import { type DueKey, inTurn } from "./in-turn.ts";
import { type Due, timerChecksum } from "./keys.ts";

export type ClaimDue = (options: ClaimOptions) => Claim[] | Promise<Claim[]>;

/** @param clock returns Unix time in milliseconds */
export function prepareClaim(
  { sqlite, path, write }: Database,
  due: Due,
  gone: GoneOwners,
  clock: () => number,
): ClaimDue {
  const findLongestDue = sqlite.prepare(
    "SELECT id, user, due_at AS due FROM keys WHERE scope = ? AND due_at <= ? ORDER BY due_at LIMIT ?",
  );
  // Reads entries of the index only. One user with many conversations must delay neither the others nor other writers.
  const findOfOthers = sqlite.prepare(`
    SELECT id, user, min(due_at) AS due FROM keys
    WHERE scope = ? AND due_at BETWEEN ? AND ? AND user NOT IN (SELECT value FROM json_each(?)) GROUP BY user`);
  const countClaims = sqlite.prepare("SELECT user, count(*) AS count FROM claims WHERE expires_at > ? GROUP BY user");
  const findKey = sqlite.prepare(`
    SELECT user, name, scope, checksum, attempts, reasons, last_message AS lastMessage, lease_at <= $now AS hasLeaseEnded,
      EXISTS (
        SELECT 1 FROM messages
        WHERE key = $id AND at IS NULL AND place > ${eventPlace("$id", "seen_message")}
      ) OR EXISTS (
        SELECT 1 FROM messages
        WHERE key = $id AND at <= $now AND (at > seen_at OR place > ${eventPlace("$id", "seen_message")})
      ) AS hasMessage
    FROM keys WHERE id = $id`);
  const takeTimers = sqlite.prepare("DELETE FROM timers WHERE key = ? AND at <= ? RETURNING id, at, checksum");
  const endClaim = sqlite.prepare("DELETE FROM claims WHERE key = ?");
  const addClaim = sqlite.prepare(
    "INSERT INTO claims (key, user, owner, expires_at) VALUES (?, ?, ?, ?) RETURNING token",
  );
  const holdKey = sqlite.prepare(`
    UPDATE keys SET attempts = attempts + 1, reasons = $reasons, held_at = $expiresAt, seen_message = last_message,
      seen_at = $now, lease_at = iif(lease_at <= $now, NULL, lease_at)
    WHERE id = $id`);

  return (options) => {
    const { limit, ttl, perUser } = claimLimits(options);
    const { owner, scope } = options;
    return write(() => {
      const now = clock();
      gone.end(now);
      const claims = new Map(countClaims.all(now).map(({ user, count }) => [String(user), Number(count)]));
      const ids = inTurn(findDue(scopeText(scope), now, limit), claims, { limit, perUser });
      return ids.map((id) => claim(id, owner, now, now + ttl));
    });
  };

  /** The longest due, and if there may be more, the longest due of each user that has none of these. */
  function findDue(scope: string, now: number, limit: number): DueKey[] {
    const most = Math.max(mostInDetail, limit);
    const longest = findLongestDue.all(scope, now, most);
    const users = JSON.stringify([...new Set(longest.map(({ user }) => user))]);
    const others = longest.length < most ? [] : findOfOthers.all(scope, Number(longest.at(-1)?.due), now, users);
    return [...longest, ...others].map(({ id, user, due }) => ({
      id: Number(id),
      user: String(user),
      at: timeOfDue(Number(due), now),
    }));
  }

  function claim(id: number, owner: string, now: number, expiresAt: number): Claim {
    const row = findKey.get({ id, now }) ?? {};
    const key = keyOf(row, path);
    const reasons = new Set(
      row.reasons === null ? [] : unsealed<string[]>(id, row.reasons, "what a claim was for", path),
    );
    if (row.hasMessage === 1) reasons.add("inbox");
    if (row.hasLeaseEnded === 1) reasons.add("lease");
    for (const timer of takeTimers.all(id, now)) reasons.add(`timer:${idOf(id, timer)}`);
    const sorted = [...reasons].sort();
    endClaim.run(id);
    const token = Number(addClaim.get(id, String(row.user), JSON.stringify(owner), expiresAt)?.token);
    holdKey.run({ id, reasons: sealed(id, sorted), expiresAt, now });
    due.update(id);
    return { key, owner, token, reasons: sorted, attempts: Number(row.attempts) + 1, claimedAt: now, expiresAt };
  }

  function idOf(key: number, { id, at, checksum }: Record<string, unknown>): string {
    if (timerChecksum(key, String(id), Number(at)) === checksum) return JSON.parse(String(id)) as string;
    throw damaged(path, "a timer is not what was stored (its checksum differs)");
  }
}

/** The number of conversations among which a claim chooses, if more are due. */
const mostInDetail = 1_000;

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
