import type { Deferred, Parked, StandingClaim, Store } from "@cogency/storage";
import { watchDue } from "@cogency/storage/adapter";
import type { Database } from "../database/database.ts";
import { unsealed } from "../rows/checksum.ts";
import { atOnce, timeOfDue } from "../rows/due-time.ts";
import { keyOf, keyTexts, scopeText } from "../rows/names.ts";
import type { Watched } from "../watch/watched.ts";
import type { Due } from "./keys.ts";

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

/**
 * @param scopes the rows of `wake_scopes` that somebody watches
 * @param clock returns Unix time in milliseconds
 */
export function prepareWatchWakes(
  { sqlite, refuseIfClosed, read }: Database,
  scopes: Watched,
  clock: () => number,
): Pick<Store, "nextWake" | "watchWakes"> {
  const findFirst = sqlite.prepare("SELECT min(due_at) AS due FROM keys WHERE scope = ? AND due_at IS NOT NULL");
  const findNext = sqlite.prepare("SELECT min(due_at) AS due FROM keys WHERE scope = ? AND due_at > ?");

  return {
    async nextWake({ scope } = {}) {
      refuseIfClosed();
      const first = await read(() => dueOf(findFirst.get(scopeText(scope))));
      return first === undefined ? undefined : timeOfDue(first, clock());
    },

    watchWakes({ scope, signal } = {}) {
      const text = scopeText(scope);
      const look = async () => {
        refuseIfClosed();
        const now = clock();
        const [first, next] = await read(() => [dueOf(findFirst.get(text)), dueOf(findNext.get(text, now))]);
        return { isDue: first !== undefined && first <= now, next: next === undefined ? undefined : next - now };
      };
      return watchDue({ look, change: (stop) => scopes.change([text], stop) }, { signal });
    },
  };
}

function dueOf(row: Record<string, unknown> | undefined): number | undefined {
  return typeof row?.due === "number" ? row.due : undefined;
}
