import { assert, assertEqual, eventually } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import type { Slot } from "../../wakes.ts";
import { assertOutOfRange, assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { hour } from "../samples/times.ts";
import { trickyNames } from "../samples/tricky-names.ts";
import { timeOf, whenPast } from "./store-time.ts";

/** Places under a limit. */
export const slotCases: Case[] = [
  {
    name: "slot gives as many places as the limit says, and null when all are taken",
    async check({ store }) {
      const before = await timeOf(store);
      const slots = [await taken(store, 3), await taken(store, 3), await taken(store, 3)];
      const after = await timeOf(store);
      assertEqual(await place(store, 3), null, "a fourth place");
      for (const { expiresAt } of slots) {
        assert(before + hour <= expiresAt && expiresAt <= after + hour, "A place must last for its `ttl`.");
      }
      await slots[1]?.release();
      await slots[1]?.release();
      await taken(store, 3);
      assertEqual(await place(store, 3), null, "another place after one was given back and taken again");
      await slots[1]?.release();
      assertEqual(await place(store, 3), null, "another place after a release of what was released before");
    },
  },
  {
    name: "slot keeps names apart, whatever they are, and any owner may hold several places",
    async check({ store }) {
      for (const name of trickyNames) {
        const options = { limit: 2, owner: name, ttl: hour };
        for (let count = 0; count < 2; count++) {
          assert((await store.slot(name, options)) !== null, `Place ${count} of ${JSON.stringify(name)} must be free.`);
        }
        assertEqual(await store.slot(name, options), null, `a third place of ${JSON.stringify(name)}`);
      }
    },
  },
  {
    name: "slot follows the limit of each call",
    async check({ store }) {
      for (let count = 0; count < 3; count++) await taken(store, 5);
      assertEqual(await place(store, 2), null, "a place under a lower limit");
      assertEqual(await place(store, 3), null, "a place under a limit that is reached");
      await taken(store, 4);
      assertEqual(await place(store, 4), null, "another one");
    },
  },
  {
    name: "slot gives no more places than the limit to many who ask at once",
    async check({ store }) {
      for (let round = 0; round < 5; round++) {
        const asked = await Promise.all(Array.from({ length: 20 }, () => place(store, 4)));
        const slots = asked.filter((slot) => slot !== null);
        assertEqual(slots.length, 4, `the number of places in round ${round}`);
        await Promise.all(slots.map((slot) => slot.release()));
      }
    },
  },
  {
    name: "a place is free at the end of its time, and its holder can no longer renew it",
    async check({ store, patience }) {
      const first = await taken(store, 1, 60);
      await whenPast(store, first.expiresAt, patience);
      assertEqual(await first.renew(hour), false, "a renewal of what has ended, before another has it");
      const second = await eventually(
        () => place(store, 1).then((slot) => slot ?? undefined),
        patience,
        "It is not free",
      );
      assertEqual(await first.renew(), false, "a renewal after another has it");
      await first.release();
      assertEqual(await place(store, 1), null, "another place after the first holder released what had ended");
      assertEqual(await second.renew(), true, "a renewal of the second");
    },
  },
  {
    name: "renew of a slot holds the place for longer, by its first `ttl` or by the given one",
    async check({ store, patience }) {
      const slot = await taken(store, 1);
      const first = slot.expiresAt;
      assertEqual(await slot.renew(10 * hour), true, "a renewal");
      assert(slot.expiresAt > first + 8 * hour, `expiresAt is ${slot.expiresAt - first} ms later, of about 9 hours.`);
      assertEqual(await slot.renew(), true, "a renewal without a time");
      assert(slot.expiresAt < first + 5 * hour, "A renewal without a time lasts as long as the place did at first.");
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(slot.renew(ttl), `a renewal of ${ttl} ms`);
      }
      assertEqual(await slot.renew(60), true, "a renewal that ends sooner");
      await eventually(() => place(store, 1).then((next) => next !== null), patience, "The place did not become free");
      const released = await taken(store, 9);
      await released.release();
      assertEqual(await released.renew(), false, "a renewal of what was released");
    },
  },
  {
    name: "a slot that is renewed in time is held after its first end",
    timeout: 240_000,
    async check({ store, patience }) {
      for (let ttl = 500; ; ttl *= 4) {
        const slot = await taken(store, 1, ttl);
        const end = slot.expiresAt;
        const isRenewed = await slot.renew(hour);
        await whenPast(store, end, patience + ttl);
        // On a slow machine the place may have ended before the renewal.
        if (!isRenewed && ttl <= 20_000) continue;
        assertEqual(
          [isRenewed, await place(store, 1)],
          [true, null],
          "the renewal, and another place after the first end",
        );
        return;
      }
    },
  },
  {
    name: "slot accepts only a whole `limit` from 1 up and a `ttl` above 0",
    async check({ store }) {
      for (const limit of [0, -1, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(place(store, limit), `a limit of ${limit}`);
      }
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(place(store, 1, ttl), `a ttl of ${ttl}`);
      }
      await taken(store, 1);
    },
  },
  {
    name: "after `close` a slot can be released without an error, and not be renewed",
    async check({ store }) {
      const slot = await taken(store, 1);
      await store.close();
      await assertRejects(slot.renew(), "closed", "a renewal");
      await slot.release();
    },
  },
];

function place(store: Pick<Store, "slot">, limit: number, ttl = hour): Promise<Slot | null> {
  return store.slot("requests", { limit, owner: "the kit", ttl });
}

async function taken(store: Pick<Store, "slot">, limit: number, ttl = hour): Promise<Slot> {
  const slot = await place(store, limit, ttl);
  if (!slot) throw new Error(`No place is free under a limit of ${limit}, although fewer are held.`);
  return slot;
}
