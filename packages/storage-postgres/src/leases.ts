import { type Lease, LeaseHeldError, LeaseLostError, leaseTtl, type Store } from "@cogency/storage";
import type { Database } from "./database/database.ts";
import { keyNames } from "./rows/names.ts";

/** Uses the clock of the server, so that machines with different clocks agree on the writer. */
export function prepareLease({ schema, run, refuseIfClosed, closing }: Database): Store["lease"] {
  const grant = `SELECT token, owner, ends FROM ${schema}.lease($1, $2, $3, $4, $5)`;
  const now = "date_part('epoch', clock_timestamp()) * 1000";
  const renew = `UPDATE ${schema}.conversations SET lease_ends = ${now} + $3
    WHERE key = $1 AND lease_token = $2 AND lease_ends > ${now} RETURNING lease_ends`;
  const release = `SELECT ${schema}.release_lease($1, $2)`;

  return async (key, { owner, ttl }): Promise<Lease> => {
    refuseIfClosed();
    const asked = leaseTtl(ttl);
    const { key: keyHash, user, name } = keyNames(key);
    const [[granted, holder, ends] = []] = await run(grant, [keyHash, user, name, JSON.stringify(owner), asked]);
    if (granted === null) throw new LeaseHeldError(String(JSON.parse(String(holder))), Number(ends));
    const token = Number(granted);
    let expiresAt = Number(ends);
    return {
      owner,
      token,
      get expiresAt() {
        return expiresAt;
      },
      async renew(again = asked) {
        const [[renewed] = []] = await run(renew, [keyHash, token, leaseTtl(again)]);
        if (typeof renewed !== "number") throw new LeaseLostError(token);
        expiresAt = renewed;
      },
      async release() {
        // After `close` the lease expires by itself.
        if (!closing.aborted) await run(release, [keyHash, token]);
      },
    };
  };
}
