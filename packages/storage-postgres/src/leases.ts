import { LeaseHeldError, type Store } from "@cogency/storage";
import { type GrantedLeases, grantedLeases, leaseTtl } from "@cogency/storage/adapter";
import type { Database } from "./database/database.ts";
import type { Statement } from "./database/sending.ts";
import type { DueNotices } from "./follow/due-notices.ts";
import { leasesUnderLock } from "./liveness/leases-under-lock.ts";
import { keyNames } from "./rows/names.ts";

export interface Leases extends Pick<GrantedLeases, "renew"> {
  lease: Store["lease"];
  /** Returns the error of an append that was refused for its lease. */
  refused(key: Buffer, token: number): Error;
  /** The lock of this store is gone (see `Holder`): the leases that are recorded with it are lost. */
  lockLost(): void;
}

/** Uses the clock of the server, so that machines with different clocks agree on the writer. */
export function prepareLeases(
  { schema, attempt, run, refuseIfClosed, closing }: Database,
  dueNotices: DueNotices,
  holderId: () => number | null,
): Leases {
  const underLock = leasesUnderLock();
  const grant = `SELECT token, owner, ends FROM ${schema}.grant_lease($1, $2, $3, $4, $5, $6)`;
  const extendOne = extension(schema, "");
  const extendMany = extension(schema, "SKIP LOCKED");
  const release = `SELECT was_deferred FROM ${schema}.end_lease(decode($1, 'hex'), $2)`;

  const granted = grantedLeases({
    refuseIfClosed,
    async extend(extensions) {
      const isOne = extensions.length === 1;
      const { rows, askedAt } = await timed([isOne ? extendOne : extendMany, [JSON.stringify(extensions)]]);
      const ends = new Map<unknown, unknown>(rows.map(([token, end]) => [Number(token), end]));
      if (rows.some(([, , isEarlier]) => isEarlier)) dueNotices.announce();
      return {
        askedAt,
        ends: extensions.map(({ token }) => {
          const end = ends.get(token);
          return end ? Number(end) : end === null && !isOne ? "busy" : "lost";
        }),
      };
    },
    // After `close` the lease expires by itself.
    async release(name, token) {
      underLock.remove(token);
      if (closing.aborted) return;
      const [[wasDeferred] = []] = await run(release, [name, token]);
      if (wasDeferred === true) dueNotices.announce();
    },
  });

  return {
    async lease(key, options) {
      refuseIfClosed();
      const ttl = leaseTtl(options.ttl);
      const { key: keyHash, user, name } = keyNames(key);
      const recorded = holderId();
      const parameters = [keyHash, user, name, JSON.stringify(options.owner), ttl, recorded];
      const { rows, askedAt } = await timed([grant, parameters]);
      const [[token, owner, ends] = []] = rows;
      if (token === null) throw new LeaseHeldError(String(JSON.parse(String(owner))), Number(ends));
      dueNotices.announceLater(ttl);
      const lease = granted.add(nameOf(keyHash), options, { token: Number(token), expiresAt: Number(ends), askedAt });
      if (recorded !== null) underLock.add(nameOf(keyHash), lease);
      // The lock was lost meanwhile.
      if (recorded !== null && recorded !== holderId()) granted.refused(nameOf(keyHash), lease.token);
      return lease;
    },
    renew: granted.renew,
    refused: (key, token) => granted.refused(nameOf(key), token),
    lockLost() {
      for (const { name, token } of underLock.clear()) granted.refused(name, token);
    },
  };

  /** Runs a statement, and returns also when the attempt began that succeeded. */
  async function timed(statement: Statement): Promise<{ rows: unknown[][]; askedAt: number }> {
    let askedAt = 0;
    const rows = await attempt(() => {
      askedAt = performance.now();
      return statement;
    });
    return { rows, askedAt };
  }
}

const now = "date_part('epoch', clock_timestamp()) * 1000";

/**
 * A statement that extends leases, which are its parameter as JSON, and returns the token and the new end of each, and
 * whether that is earlier than the old one. A lease that has ended has no row. With `SKIP LOCKED`, a lease whose row
 * another statement has locked has no end: a conversation that hangs must not delay all others.
 */
function extension(schema: string, locking: "" | "SKIP LOCKED"): string {
  const current = `asked a JOIN ${schema}.conversations c
      ON c.key = decode(a.name, 'hex') AND c.lease_token = a.token AND c.lease_ends > ${now}`;
  return `WITH asked AS (
      SELECT * FROM json_to_recordset($1::text::json) AS a (name text, token bigint, ttl double precision)
    ), held AS (
      SELECT c.id, a.ttl, c.lease_ends AS ended FROM ${current} FOR NO KEY UPDATE OF c ${locking}
    ), extended AS (
      UPDATE ${schema}.conversations c SET lease_ends = ${now} + held.ttl FROM held WHERE c.id = held.id
      RETURNING c.id, c.lease_token AS token, c.lease_ends AS ends, c.lease_ends < held.ended AS is_earlier
    ), moved AS (
      UPDATE ${schema}.wakes w SET lease_at = e.ends FROM extended e
      WHERE e.is_earlier AND w.conversation = e.id AND w.lease_at > e.ends
    )
    SELECT token, ends, is_earlier FROM extended
    UNION ALL SELECT a.token, NULL, false FROM ${current} WHERE a.token NOT IN (SELECT token FROM extended)`;
}

function nameOf(key: Buffer): string {
  return key.toString("hex");
}
