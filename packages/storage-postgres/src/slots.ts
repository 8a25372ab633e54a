import { randomUUID } from "node:crypto";
import type { Store } from "@cogency/storage";
import { heldSlot, slotLimits } from "@cogency/storage/adapter";
import type { Database } from "./database/database.ts";
import { sha256 } from "./rows/names.ts";

export interface Slots extends Pick<Store, "slot"> {
  /** The lock of this store with this id is gone (see `Holder`), but the store is there: its places end by their `ttl`. */
  lockLost(holder: number): void;
  /** Frees the places of stores whose lock is gone. */
  freeThoseOfGone(): void;
}

/**
 * Uses the clock of the server, so that machines with different clocks share a limit. The owner of a place is the name that the
 * caller gives as JSON text and, under a lock, another line with the id of the lock.
 */
export function prepareSlots({ schema, run, refuseIfClosed, closing }: Database, holderId: () => number | null): Slots {
  const now = "date_part('epoch', clock_timestamp()) * 1000";
  const take = `SELECT ends FROM ${schema}.take_slot($1, $2, $3, $4, $5)`;
  const renew = `UPDATE ${schema}.slots SET ends = ${now} + $2 WHERE id = $1 AND ends > ${now} RETURNING ends`;
  const release = `DELETE FROM ${schema}.slots WHERE id = $1`;
  const holderOf = "nullif(split_part(owner, E'\\n', 2), '')::integer";
  const withoutLock = `UPDATE ${schema}.slots SET owner = split_part(owner, E'\\n', 1) WHERE ${holderOf} = $1`;
  const free = `DELETE FROM ${schema}.slots WHERE ${holderOf} NOT IN (SELECT id FROM ${schema}.holders)`;

  // Places that could not be changed end by their `ttl`, or are lost.
  const inBackground = (statement: string, ...parameters: number[]) => {
    if (!closing.aborted) run(statement, parameters).catch(() => {});
  };
  const lockLost = (holder: number) => inBackground(withoutLock, holder);

  return {
    async slot(name, options) {
      refuseIfClosed();
      const { limit, ttl } = slotLimits(options);
      const id = randomUUID();
      const holder = holderId();
      const owner = [JSON.stringify(options.owner), holder].filter((line) => line !== null).join("\n");
      const [[ends] = []] = await run(take, [id, sha256(JSON.stringify(name)), owner, limit, ttl]);
      if (ends === null) return null;
      // The lock was lost meanwhile.
      if (holder !== null && holder !== holderId()) lockLost(holder);
      return heldSlot(ttl, Number(ends), {
        async renew(longer) {
          const [renewed] = await run(renew, [id, longer]);
          return renewed ? Number(renewed[0]) : undefined;
        },
        // After `close` the place ends by itself.
        release: () => (closing.aborted ? undefined : run(release, [id])),
      });
    },
    lockLost,
    freeThoseOfGone: () => inBackground(free),
  };
}
