import { randomUUID } from "node:crypto";
import { heldSlot, type Store, slotLimits } from "@cogency/storage";
import type { Database } from "./database/database.ts";
import { sha256 } from "./rows/names.ts";

/** Uses the clock of the server, so that machines with different clocks share a limit. */
export function prepareSlots({ schema, run, refuseIfClosed, closing }: Database): Pick<Store, "slot"> {
  const now = "date_part('epoch', clock_timestamp()) * 1000";
  const take = `SELECT ends FROM ${schema}.take_slot($1, $2, $3, $4, $5)`;
  const renew = `UPDATE ${schema}.slots SET ends = ${now} + $2 WHERE id = $1 AND ends > ${now} RETURNING ends`;
  const release = `DELETE FROM ${schema}.slots WHERE id = $1`;

  return {
    async slot(name, options) {
      refuseIfClosed();
      const { limit, ttl } = slotLimits(options);
      const id = randomUUID();
      const owner = JSON.stringify(options.owner);
      const [[ends] = []] = await run(take, [id, sha256(JSON.stringify(name)), owner, limit, ttl]);
      if (ends === null) return null;
      return heldSlot(ttl, Number(ends), {
        async renew(longer) {
          const [renewed] = await run(renew, [id, longer]);
          return renewed ? Number(renewed[0]) : undefined;
        },
        // After `close` the place ends by itself.
        release: () => (closing.aborted ? undefined : run(release, [id])),
      });
    },
  };
}
