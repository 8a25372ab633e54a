import { assert, assertEqual, pause } from "@cogency/protocol/testkit";
import type { Key } from "../../key.ts";
import { keepLeases } from "../../lease/keep-leases.ts";
import type { Lease, Store } from "../../store.ts";
import { assertOutOfRange, assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks } from "../samples/events.ts";
import { hour } from "../samples/times.ts";
import { trickyKeys } from "../samples/tricky-names.ts";
import { assertLost, isHeldUntil, whenFree } from "./leasing.ts";

const other: Key = { conversation: "d", user: "u" };

/** Many leases that are renewed with one call. */
export const renewalCases: Case[] = [
  {
    name: "renew of the store extends all given leases, each by its first `ttl` or all by the given one",
    async check({ store }) {
      const short = await store.lease(key, { owner: "one", ttl: hour });
      const long = await store.lease(other, { owner: "two", ttl: 3 * hour });
      assertEqual([short.ttl, long.ttl], [hour, 3 * hour], "the `ttl` of the leases");
      const first = short.expiresAt;
      assertRenewed(await store.renew([short, long], 10 * hour), [short, long]);
      for (const [lease, of] of [[short, key] as const, [long, other] as const]) {
        assert(
          lease.expiresAt > first + 8 * hour,
          `expiresAt must be about 10 hours away: ${lease.expiresAt - first}.`,
        );
        await isHeldUntil(store, lease, of);
      }
      assertRenewed(await store.renew([long, short]), [short, long]);
      assert(short.expiresAt < first + hour, "Without a time, a lease is extended by its own `ttl` of one hour.");
      assert(long.expiresAt > first + hour, "Without a time, a lease is extended by its own `ttl` of three hours.");
      await isHeldUntil(store, short);
      await isHeldUntil(store, long, other);
      assertEqual([short.ttl, long.ttl], [hour, 3 * hour], "the `ttl` of the leases afterwards");
      assertRenewed(await store.renew([]), []);
      assertRenewed(await store.renew([short, short, { token: short.token }]), [short]);
    },
  },
  {
    name: "renew of the store names the leases that have ended, and extends the others",
    async check({ store, patience }) {
      const keyOf = (conversation: string) => ({ conversation });
      const take = (conversation: string, ttl = hour) => store.lease(keyOf(conversation), { owner: "one", ttl });
      const lasting = await take("lasting");
      const expired = await take("expired", 60);
      const current = await whenFree(store, "two", patience, keyOf("expired"));
      const replaced = await take("replaced");
      const next = await take("replaced");
      const deleted = await take("deleted");
      await store.delete(keyOf("deleted"));
      const released = await take("released");
      await released.release();
      const foreign = { token: next.token + 1_000 };
      const first = lasting.expiresAt;

      const ended = [expired, replaced, deleted, released, foreign];
      const { renewed, lost } = await store.renew([expired, replaced, lasting, deleted, released, foreign], 3 * hour);
      assertEqual(renewed, [lasting.token], "the leases that are extended");
      assertEqual(sorted(lost), sorted(ended.map(({ token }) => token)), "the leases that are lost");
      assert(lasting.expiresAt > first + hour, "The lease that lasts must be extended.");
      await isHeldUntil(store, lasting, keyOf("lasting"));
      await isHeldUntil(store, current, keyOf("expired"));
      await isHeldUntil(store, next, keyOf("replaced"));
      for (const lease of [expired, replaced, deleted]) assertLost(lease, "it was answered as lost");
      for (const lease of [lasting, current, next]) assert(!lease.lost.aborted, "lost of a lease that lasts aborted.");
      for (const conversation of ["deleted", "released"]) {
        assertEqual(await store.append(keyOf(conversation), remarks(1)), 1, `an append to what was ${conversation}`);
      }
    },
  },
  {
    name: "renew of the store accepts only a `ttl` above 0, and changes nothing otherwise",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      const { expiresAt } = lease;
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(store.renew([lease], ttl), `a renewal of ${ttl} ms`);
      }
      assertEqual(lease.expiresAt, expiresAt, "the end of the lease");
      await isHeldUntil(store, lease);
    },
  },
  {
    name: "renew of the store extends a thousand leases of many users, whatever their names are",
    async check({ store }) {
      const many = Array.from({ length: 1_000 }, (_, index) => ({ conversation: `c${index}`, user: `u${index % 7}` }));
      const keys: Key[] = [...trickyKeys, ...many];
      const leases: Lease[] = [];
      while (leases.length < keys.length) {
        const asked = keys.slice(leases.length, leases.length + 100);
        leases.push(...(await Promise.all(asked.map((one) => store.lease(one, { owner: "one", ttl: hour })))));
      }
      const ends = leases.map(({ expiresAt }) => expiresAt);
      assertRenewed(await store.renew(leases, 3 * hour), leases);
      for (const [index, { expiresAt }] of leases.entries()) {
        assert(expiresAt > (ends[index] ?? 0) + hour, `Lease ${index} must be extended.`);
      }
      for (const [index, one] of keys.entries()) {
        const lease = leases[index];
        if (lease && (index < trickyKeys.length || index % 100 === 0)) await isHeldUntil(store, lease, one);
      }
    },
  },
  {
    name: "renew of the store loses no lease while its holder appends",
    async check({ store }) {
      const keys = Array.from({ length: 10 }, (_, index) => ({ conversation: `c${index}` }));
      const leases = await Promise.all(keys.map((one) => store.lease(one, { owner: "one", ttl: hour })));
      let isOver = false;
      const appending = Promise.all(
        keys.map(async (one, index) => {
          const lease = leases[index];
          while (!isOver) {
            await store.append(one, remarks(1), { lease });
            await pause(0);
          }
        }),
      );
      // If the case fails before it awaits them, the rejection must not end the process.
      appending.catch(() => {});
      try {
        for (let round = 1; round <= 20; round++) {
          const { renewed, lost } = await store.renew(leases, round * hour);
          assertEqual(lost, [], "the leases that are lost");
          const known = new Set(leases.map(({ token }) => token));
          assert(
            renewed.every((token) => known.delete(token)),
            `renewed must name given leases, each once: ${renewed}.`,
          );
          await pause(1);
        }
      } finally {
        isOver = true;
      }
      await appending;
      assertRenewed(await store.renew(leases, 30 * hour), leases);
      for (const [index, one] of keys.entries()) {
        const lease = leases[index];
        if (lease) await isHeldUntil(store, lease, one);
      }
    },
  },
  {
    name: "leases that keepLeases keeps outlive their `ttl`, and expire when they are no longer kept",
    timeout: 240_000,
    async check({ store, patience }) {
      const { leases, stops } = await keptForLong(store, async (leases) => {
        for (const lease of leases) assert(!lease.lost.aborted, "lost must not abort while the lease is kept.");
        await assertRejects(store.append(key, remarks(1)), "lease_held", "an append without the lease that is kept");
        assertEqual(await store.append(key, remarks(1), { lease: leases[0] }), 1, "an append with it");
      });
      for (const stop of stops) stop();
      await whenFree(store, "two", patience + 4 * (leases[0]?.ttl ?? 0), key);
      if (leases[0]) assertLost(leases[0], "it was no longer kept");
    },
  },
];

/** Checks two leases that were kept for twice their `ttl`. Tries again with a longer one on a machine that was too slow. */
async function keptForLong(
  store: Store,
  check: (leases: readonly Lease[]) => Promise<void>,
): Promise<{ leases: Lease[]; stops: (() => void)[] }> {
  for (let ttl = 300; ; ttl *= 4) {
    const keys = [key, other];
    const leases = await Promise.all(keys.map((one) => store.lease(one, { owner: "one", ttl })));
    const stops = leases.map((lease) => keepLeases(store).add(lease));
    await pause(2 * ttl);
    try {
      await check(leases);
      return { leases, stops };
    } catch (error) {
      for (const stop of stops) stop();
      if (ttl > 8_000 || leases.every(({ lost }) => !lost.aborted)) throw error;
    }
    await store.delete(key);
  }
}

function assertRenewed({ renewed, lost }: Awaited<ReturnType<Store["renew"]>>, leases: readonly Lease[]): void {
  const tokens = leases.map(({ token }) => token);
  assertEqual([sorted(renewed), lost], [sorted(tokens), []], "the leases that are extended, and those that are lost");
}

function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, other) => one - other);
}
