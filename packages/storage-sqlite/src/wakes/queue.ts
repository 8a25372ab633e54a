import type { Deferred, StandingClaim, Store } from "@cogency/storage";
import type { Database } from "../database/database.ts";
import { timeOfDue } from "../rows/due-time.ts";
import { keyOf } from "../rows/key-row.ts";
import { scopeText } from "../rows/names.ts";
import { unsealed } from "../rows/sealed.ts";

/** @param clock returns Unix time in milliseconds */
export function prepareQueue(
  { sqlite, path, refuseIfClosed, read }: Database,
  clock: () => number,
): Pick<Store, "queue"> {
  const count = sqlite.prepare(`
    SELECT count(*) AS due, min(due_at) AS first,
      (SELECT count(*) FROM keys WHERE scope = $scope AND parked_at IS NOT NULL) AS parked
    FROM keys WHERE scope = $scope AND due_at <= $now`);
  const list = sqlite.prepare(`
    SELECT k.id, k.user, k.name, k.scope, k.checksum, k.attempts, k.reasons, c.owner, c.expires_at AS expiresAt
    FROM claims c JOIN keys k ON k.id = c.key
    WHERE k.scope = ? AND c.expires_at > ? AND k.parked_at IS NULL ORDER BY c.expires_at, c.token LIMIT 1000`);
  const listDeferred = sqlite.prepare(`
    SELECT id, user, name, scope, checksum, due_at AS at FROM keys
    WHERE scope = ? AND due_at > ? AND held_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM claims WHERE key = keys.id)
    ORDER BY due_at, id LIMIT 1000`);

  return {
    async queue({ scope } = {}) {
      refuseIfClosed();
      const now = clock();
      const of = scopeText(scope);
      const { counted, rows, deferred } = await read(() => ({
        counted: count.get({ scope: of, now }),
        rows: list.all(of, now),
        deferred: listDeferred.all(of, now),
      }));
      const { due, first, parked } = counted ?? {};
      return {
        now,
        due: Number(due),
        dueSince: first === null ? undefined : timeOfDue(Number(first), now),
        parked: Number(parked),
        claims: rows.map(
          (row): StandingClaim => ({
            key: keyOf(row, path),
            owner: String(JSON.parse(String(row.owner))),
            reasons: unsealed<string[]>(Number(row.id), row.reasons, "what a claim was for", path),
            attempts: Number(row.attempts),
            expiresAt: Number(row.expiresAt),
          }),
        ),
        deferred: deferred.map((row): Deferred => ({ key: keyOf(row, path), at: timeOfDue(Number(row.at), now) })),
      };
    },
  };
}
