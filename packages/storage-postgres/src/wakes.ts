import type { Claim, Deferred, Key, Parked, StandingClaim, Wakes } from "@cogency/storage";
import { claimLimits, finiteTime, leaseTtl, watchDue } from "@cogency/storage/adapter";
import type { Database } from "./database/database.ts";
import type { DueNotices } from "./follow/due-notices.ts";
import { listening } from "./follow/listening.ts";
import type { Notifications } from "./follow/notifications.ts";
import { keyNames, limitOf, scopeKey, sha256 } from "./rows/names.ts";

/** Uses the clock of the server. */
export function prepareWakes(
  { schema, run, attempt, refuseIfClosed }: Database,
  notifications: Notifications,
  dueNotices: DueNotices,
  holderId: () => number | null,
): Wakes {
  const wake = `SELECT ${schema}.wake($1, $2, $3, $4, $5, $6, $7)`;
  const claim = `SELECT user_name, name, token, reasons, attempts, claimed_at, ends
    FROM ${schema}.claim($1, $2, $3, $4, $5, $6)`;
  const settle = `SELECT stood FROM ${schema}.settle_claim($1, $2, $3, $4, $5, $6)`;
  const renew = `UPDATE ${schema}.wakes
    SET claim_ends = date_part('epoch', clock_timestamp()) * 1000 + $3, claim_holder = $4
    WHERE conversation = (SELECT id FROM ${schema}.conversations WHERE key = $1) AND claim_token = $2
      AND claim_ends > date_part('epoch', clock_timestamp()) * 1000
    RETURNING conversation`;
  const ofKey = `conversation = (SELECT id FROM ${schema}.conversations WHERE key = $1) AND parked IS NOT NULL`;
  const isParked = `SELECT FROM ${schema}.wakes WHERE ${ofKey}`;
  const unpark = `UPDATE ${schema}.wakes SET parked = NULL, parked_at = NULL, attempts = 0,
      held_at = date_part('epoch', clock_timestamp()) * 1000
    WHERE ${ofKey} RETURNING conversation`;
  const parked = `SELECT c.user_name, c.name, w.parked, w.parked_at
    FROM ${schema}.wakes w JOIN ${schema}.conversations c ON c.id = w.conversation
    WHERE w.scope = $1 AND w.parked IS NOT NULL ORDER BY w.parked_at, c.id LIMIT 1000`;
  const next = `SELECT ${schema}.next_wake($1, '-Infinity', 'Infinity')`;
  const look = `SELECT ${schema}.next_wake($1, '-Infinity', now_ms) <= now_ms, ${schema}.next_wake($1, now_ms, now_ms) - now_ms
    FROM (SELECT date_part('epoch', statement_timestamp()) * 1000 AS now_ms) AS n`;

  // One statement sees one moment.
  const queue = `WITH n AS (SELECT date_part('epoch', statement_timestamp()) * 1000 AS now_ms)
    SELECT n.now_ms,
      (SELECT count(*) FROM ${schema}.wakes w WHERE w.scope = $1 AND w.due <= n.now_ms),
      (SELECT min(w.due) FROM ${schema}.wakes w WHERE w.scope = $1 AND w.due <= n.now_ms),
      (SELECT count(*) FROM ${schema}.wakes w WHERE w.scope = $1 AND w.parked IS NOT NULL),
      s.user_name, s.name, s.claim_owner, s.reasons, s.attempts, s.claim_ends
    FROM n LEFT JOIN LATERAL (
      (SELECT c.user_name, c.name, w.claim_owner, array_to_string(w.held, E'\\n') AS reasons, w.attempts, w.claim_ends
      FROM ${schema}.wakes w JOIN ${schema}.conversations c ON c.id = w.conversation
      WHERE w.scope = $1 AND w.claim_token IS NOT NULL AND w.claim_ends > n.now_ms AND w.parked IS NULL
      ORDER BY w.claim_ends, c.id LIMIT 1000)
      UNION ALL
      (SELECT c.user_name, c.name, NULL, NULL, NULL, w.due
      FROM ${schema}.wakes w JOIN ${schema}.conversations c ON c.id = w.conversation
      WHERE w.scope = $1 AND w.claim_token IS NULL AND w.held_at IS NOT NULL AND w.due > n.now_ms
      ORDER BY w.due, c.id LIMIT 1000)) s ON true`;

  return {
    async wake(key, { id, at, scope }) {
      refuseIfClosed();
      finiteTime("at", at);
      const { key: keyHash, user, name } = keyNames(key);
      const reason = JSON.stringify(`timer:${id}`);
      await run(wake, [keyHash, user, name, scopeKey(scope), sha256(reason), reason, at]);
      dueNotices.announce();
    },

    async claim(options) {
      refuseIfClosed();
      const { limit, ttl, perUser } = claimLimits(options);
      const { owner, scope } = options;
      const rows = await run(claim, [scopeKey(scope), JSON.stringify(owner), limit, ttl, limitOf(perUser), holderId()]);
      if (rows.length > 0) dueNotices.announceLater(ttl);
      return rows.map(
        ([user, name, token, reasons, attempts, claimedAt, ends]): Claim => ({
          key: keyOf(user, name),
          owner,
          token: Number(token),
          reasons: reasonsOf(String(reasons)),
          attempts: Number(attempts),
          claimedAt: Number(claimedAt),
          expiresAt: Number(ends),
        }),
      );
    },

    done: (claimed) => end(claimed, "done", null, null),

    async defer(claimed, at) {
      refuseIfClosed();
      return end(claimed, "defer", finiteTime("at", at), null);
    },

    async renewClaim({ key, token }, ttl) {
      refuseIfClosed();
      leaseTtl(ttl);
      const { key: keyHash } = keyNames(key);
      const renewed = await run(renew, [keyHash, token, ttl, holderId()]);
      if (renewed.length > 0) dueNotices.announceLater(ttl);
      return renewed.length > 0;
    },

    park: (claimed, reason) => end(claimed, "park", null, JSON.stringify(reason)),

    async unpark(key) {
      const { key: keyHash } = keyNames(key);
      if ((await run(isParked, [keyHash])).length === 0) return false;
      let isRepeated = false;
      const changed = await attempt((isRetry) => {
        isRepeated ||= isRetry;
        return [unpark, [keyHash]];
      });
      dueNotices.announce();
      return changed.length > 0 || isRepeated;
    },

    async parked({ scope } = {}) {
      const rows = await run(parked, [scopeKey(scope)]);
      return rows.map(
        ([user, name, reason, parkedAt]): Parked => ({
          key: keyOf(user, name),
          reason: String(JSON.parse(String(reason))),
          parkedAt: Number(parkedAt),
        }),
      );
    },

    async nextWake({ scope } = {}) {
      const [[at] = []] = await run(next, [scopeKey(scope)]);
      return at === null ? undefined : Number(at);
    },

    async queue({ scope } = {}) {
      const rows = await run(queue, [scopeKey(scope)]);
      const [[now, due, since, parked] = []] = rows;
      return {
        now: Number(now),
        due: Number(due),
        dueSince: since === null ? undefined : Number(since),
        parked: Number(parked),
        claims: rows.flatMap(([, , , , user, name, owner, reasons, attempts, ends]): StandingClaim[] =>
          owner === null
            ? []
            : [
                {
                  key: keyOf(user, name),
                  owner: String(JSON.parse(String(owner))),
                  reasons: reasonsOf(String(reasons)),
                  attempts: Number(attempts),
                  expiresAt: Number(ends),
                },
              ],
        ),
        deferred: rows.flatMap(([, , , , user, name, owner, , , at]): Deferred[] =>
          name === null || owner !== null ? [] : [{ key: keyOf(user, name), at: Number(at) }],
        ),
      };
    },

    watchWakes({ scope, signal } = {}) {
      const key = scopeKey(scope);
      const source = {
        change: dueNotices.next,
        async look() {
          const [[isDue, delay] = []] = await run(look, [key]);
          return { isDue: isDue === true, next: delay === null ? undefined : Number(delay) };
        },
      };
      return listening(notifications, watchDue(source, { signal }));
    },
  };

  async function end(
    { key, token }: Claim,
    ending: "done" | "defer" | "park",
    at: number | null,
    reason: string | null,
  ): Promise<boolean> {
    const { key: keyHash } = keyNames(key);
    const [[stood] = []] = await attempt((isRetry) => [settle, [keyHash, token, ending, at, reason, isRetry]]);
    // Also after `done` and `park`: another conversation of the user can be claimed now.
    if (stood === true) dueNotices.announce();
    return stood === true;
  }
}

function keyOf(user: unknown, name: unknown): Key {
  const conversation = String(JSON.parse(String(name)));
  const owner: unknown = JSON.parse(String(user));
  return owner === null ? { conversation } : { conversation, user: String(owner) };
}

/** @param text one JSON text a line */
function reasonsOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => String(JSON.parse(line)))
    .sort();
}
