import type { Store } from "@cogency/storage";
import { heldSlot, slotLimits } from "@cogency/storage/adapter";
import type { Database } from "./database/database.ts";
import type { GoneOwners } from "./gone-owners.ts";

/** @param clock returns Unix time in milliseconds */
export function prepareSlots(
  { sqlite, closed, refuseIfClosed, write }: Database,
  gone: GoneOwners,
  clock: () => number,
): Pick<Store, "slot"> {
  const deleteEnded = sqlite.prepare("DELETE FROM slots WHERE name = ? AND expires_at <= ?");
  const count = sqlite.prepare("SELECT count(*) AS held FROM slots WHERE name = ?");
  const add = sqlite.prepare("INSERT INTO slots (name, owner, expires_at) VALUES (?, ?, ?) RETURNING token");
  const extend = sqlite.prepare("UPDATE slots SET expires_at = ? WHERE token = ? AND expires_at > ?");
  const remove = sqlite.prepare("DELETE FROM slots WHERE token = ?");

  return {
    async slot(name, options) {
      refuseIfClosed();
      const { limit, ttl } = slotLimits(options);
      const { owner } = options;
      const text = JSON.stringify(name);
      const granted = await write(() => {
        const now = clock();
        gone.end(now);
        deleteEnded.run(text, now);
        if (Number(count.get(text)?.held) >= limit) return undefined;
        return { token: Number(add.get(text, JSON.stringify(owner), now + ttl)?.token), end: now + ttl };
      });
      if (!granted) return null;
      const { token, end } = granted;
      return heldSlot(ttl, end, {
        renew: (longer) =>
          write(() => {
            const now = clock();
            const { changes } = extend.run(now + longer, token, now);
            return Number(changes) === 0 ? undefined : now + longer;
          }),
        release: () => (closed.aborted ? undefined : write(() => remove.run(token))),
      });
    },
  };
}
