import { type Claim, type ClaimOptions, claimLimits } from "@cogency/storage";
import { damaged } from "../database/damaged.ts";
import type { Database } from "../database/database.ts";
import { timeOf } from "../rows/due-time.ts";
import { eventPlace } from "../rows/event-place.ts";
import { keyOf } from "../rows/key-row.ts";
import { limitOf } from "../rows/limit-of.ts";
import { scopeText } from "../rows/names.ts";
import type { Due } from "./due.ts";
import { timerChecksum } from "./wake.ts";

export type ClaimDue = (options: ClaimOptions) => Claim[] | Promise<Claim[]>;

/** @param clock returns Unix time in milliseconds */
export function prepareClaim({ sqlite, path, write }: Database, due: Due, clock: () => number): ClaimDue {
  // Beyond the longest due it reads index entries only, and only the longest due of each further user: one user with
  // many conversations delays neither the others nor the other writers of the file.
  const findDue = sqlite.prepare(`
    WITH
      longest_due AS MATERIALIZED (
        SELECT id, user, due_at FROM keys WHERE scope = $scope AND due_at <= $now ORDER BY due_at LIMIT max(1000, $limit)
      ),
      further AS (
        SELECT id, user, min(due_at) AS due_at FROM keys
        WHERE scope = $scope AND due_at BETWEEN (SELECT max(due_at) FROM longest_due) AND $now
          AND user NOT IN (SELECT user FROM longest_due)
        GROUP BY user
      ),
      claimed AS (SELECT user, count(*) AS count FROM claims WHERE expires_at > $now GROUP BY user),
      turns AS (
        SELECT id, due_at, coalesce(count, 0) + row_number() OVER (PARTITION BY user ORDER BY ${timeOf("due_at")}, id) AS turn
        FROM (SELECT * FROM longest_due UNION ALL SELECT * FROM further) LEFT JOIN claimed USING (user)
      )
    SELECT id FROM turns WHERE turn <= iif($perUser < 0, 9e999, $perUser) ORDER BY turn, ${timeOf("due_at")}, id LIMIT $limit`);
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
      const wanted = { scope: scopeText(scope), now, limit, perUser: limitOf(perUser) };
      return findDue.all(wanted).map(({ id }) => claim(Number(id), owner, now, now + ttl));
    });
  };

  function claim(id: number, owner: string, now: number, expiresAt: number): Claim {
    const row = findKey.get({ id, now }) ?? {};
    const key = keyOf(row, path);
    const reasons = new Set(row.reasons === null ? [] : (JSON.parse(String(row.reasons)) as string[]));
    if (row.hasMessage === 1) reasons.add("inbox");
    if (row.hasLeaseEnded === 1) reasons.add("lease");
    for (const timer of takeTimers.all(id, now)) reasons.add(`timer:${idOf(id, timer)}`);
    const sorted = [...reasons].sort();
    endClaim.run(id);
    const token = Number(addClaim.get(id, String(row.user), JSON.stringify(owner), expiresAt)?.token);
    holdKey.run({ id, reasons: JSON.stringify(sorted), expiresAt, now });
    due.update(id);
    return { key, owner, token, reasons: sorted, attempts: Number(row.attempts) + 1, claimedAt: now, expiresAt };
  }

  function idOf(key: number, { id, at, checksum }: Record<string, unknown>): string {
    if (timerChecksum(key, String(id), Number(at)) === checksum) return JSON.parse(String(id)) as string;
    throw damaged(path, "a timer is not what was stored (its checksum differs)");
  }
}
