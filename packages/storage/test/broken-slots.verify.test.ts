import { describe } from "vitest";
import { heldSlot, type SlotOptions } from "../src/adapter.ts";
import type { Slot, Store } from "../src/index.ts";
import { type Defect, notice } from "./support/notice.ts";

const hour = 3_600_000;

const defects: Defect[] = [
  [
    "has no limit",
    /as many places as the limit says/,
    (store) => ({ slot: (name, options) => store.slot(name, { ...options, limit: options.limit + 9 }) }),
  ],
  [
    "keeps the limit of the first call",
    /follows the limit of each call/,
    (store) => {
      let first: number | undefined;
      return {
        slot(name, options) {
          first ??= options.limit;
          return store.slot(name, { ...options, limit: first });
        },
      };
    },
  ],
  [
    "counts the places before it takes one, and not with it",
    /to many who ask at once/,
    (store) => {
      let held = 0;
      return {
        async slot(name, options) {
          const before = held;
          await undefined;
          if (before >= options.limit) return null;
          held += 1;
          const slot = await store.slot(name, { ...options, limit: 1_000 });
          return changing(slot, {
            release: async () => {
              held -= 1;
            },
          });
        },
      };
    },
  ],
  [
    "never frees a place by time",
    /free at the end of its time/,
    (store) => ({
      async slot(name, options) {
        const slot = await store.slot(name, { ...options, ttl: hour + options.ttl });
        return slot && heldSlot(options.ttl, slot.expiresAt - hour, { renew: () => undefined, release: slot.release });
      },
    }),
  ],
  ["renews a place that has ended", /free at the end of its time/, slots(() => ({ renew: async () => true }))],
  [
    "renews a place in words only",
    /held after its first end|holds the place for longer/,
    slots(() => ({ renew: async () => true })),
  ],
  [
    "frees a place of another with a second release",
    /as many places as the limit says/,
    (store) => {
      let released = 0;
      return {
        async slot(name, options) {
          const slot = await store.slot(name, { ...options, limit: options.limit + released });
          return changing(slot, {
            release: async () => {
              released += 1;
            },
          });
        },
      };
    },
  ],
  [
    "gives one place to an owner",
    /any owner may hold several places/,
    (store) => {
      const places = new Map<string, Slot | null>();
      return {
        async slot(name, options) {
          const place = JSON.stringify([name, options.owner]);
          const slot = places.get(place) ?? (await store.slot(name, options));
          places.set(place, slot);
          return slot;
        },
      };
    },
  ],
  [
    "takes names for each other",
    /slot keeps names apart/,
    (store) => ({ slot: (name, options) => store.slot(name.toLowerCase(), options) }),
  ],
  [
    "accepts any limit",
    /only a whole `limit`/,
    (store) => ({ slot: (name, options) => store.slot(name, { ...options, limit: Math.max(1, options.limit) || 1 }) }),
  ],
];

describe("the kit notices a store that", () => notice(defects));

/** A store whose slots have other methods. */
function slots(change: (slot: Slot) => Partial<Slot>) {
  return (store: Store): Partial<Store> => ({
    async slot(name: string, options: SlotOptions) {
      const slot = await store.slot(name, options);
      return slot && changing(slot, change(slot));
    },
  });
}

function changing(slot: Slot | null, change: Partial<Slot>): Slot | null {
  if (!slot) return null;
  const methods: Slot = {
    get expiresAt() {
      return slot.expiresAt;
    },
    renew: (ttl) => slot.renew(ttl),
    release: () => slot.release(),
  };
  return Object.defineProperties(methods, Object.getOwnPropertyDescriptors(change));
}
