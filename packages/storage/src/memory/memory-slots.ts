import { slotLimits } from "../adapter/checked-numbers.ts";
import { heldSlot } from "../adapter/held-slot.ts";
import type { Store } from "../store.ts";

/**
 * The slots of `memoryStore`.
 *
 * @param clock Unix time in milliseconds
 * @param refuseIfClosed throws if the store was closed
 */
export function memorySlots(clock: () => number, refuseIfClosed: () => void): Pick<Store, "slot"> {
  /** The ends of the places under each name, by a number of the place. */
  const names = new Map<string, Map<number, number>>();
  let lastPlace = 0;

  return {
    async slot(name, options) {
      refuseIfClosed();
      const { limit, ttl } = slotLimits(options);
      const now = clock();
      const places = names.get(name) ?? new Map<number, number>();
      for (const [place, end] of places) if (end <= now) places.delete(place);
      if (places.size >= limit) return null;
      const place = ++lastPlace;
      names.set(name, places.set(place, now + ttl));

      return heldSlot(ttl, now + ttl, {
        renew(longer) {
          refuseIfClosed();
          const now = clock();
          if ((places.get(place) ?? now) <= now) return undefined;
          places.set(place, now + longer);
          return now + longer;
        },
        release() {
          places.delete(place);
          if (places.size === 0 && names.get(name) === places) names.delete(name);
        },
      });
    },
  };
}
