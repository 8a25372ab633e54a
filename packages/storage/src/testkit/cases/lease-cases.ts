import { assert, assertEqual, pause } from "@cogency/protocol/testkit";
import type { Key } from "../../key.ts";
import type { Lease } from "../../store.ts";
import { assertOutOfRange, assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks, said } from "../samples/events.ts";
import { hour } from "../samples/times.ts";
import { trickyKeys, trickyNames } from "../samples/tricky-names.ts";
import { isHeldUntil, renewed, whenFree } from "./leasing.ts";

/** Who gets a lease, and for how long. No case assumes that a call is done before a given time. */
export const leaseCases: Case[] = [
  {
    name: "lease refuses a second owner at once, with the owner and the end of the current lease",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      assertEqual(lease.owner, "one", "the owner");
      assert(Number.isFinite(lease.expiresAt), `expiresAt must be a time, got ${lease.expiresAt}.`);
      const start = performance.now();
      const refusal = await assertRejects(store.lease(key, { owner: "two", ttl: hour }), "lease_held", "another owner");
      assert(performance.now() - start < 30_000, "The refusal must come at once, and not when the lease ends.");
      assertEqual([refusal.owner, refusal.expiresAt], ["one", lease.expiresAt], "what the refusal says");
      assert(refusal.message.includes("one"), `"${refusal.message}" must name the owner.`);
      assertEqual(await store.append(key, remarks(1), { lease }), 1, "an append of the first owner afterwards");
    },
  },
  {
    name: "lease works for a key that was never written, and writes nothing",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      assertEqual(await store.load(key), [], "the log");
      assertEqual(await store.conversations(), [], "the conversations");
      assertEqual(await store.append(key, [said("first")], { lease, expected: 0 }), 1, "the first append");
    },
  },
  {
    name: "lease grants the key to one of many owners that ask at once",
    async check({ store }) {
      const owners = Array.from({ length: 20 }, (_, index) => `owner ${index}`);
      const results = await Promise.allSettled(owners.map((owner) => store.lease(key, { owner, ttl: hour })));
      const winners = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      assertEqual(winners.length, 1, "the number of leases");
      for (const one of results) {
        if (one.status === "rejected") {
          const refusal = await assertRejects(Promise.reject(one.reason), "lease_held", "the others");
          assertEqual(refusal.owner, winners[0]?.owner, "the owner in the error of the others");
        }
      }
    },
  },
  {
    name: "lease is separate for every user and conversation, whatever their names are",
    async check({ store }) {
      const leases: Lease[] = [];
      for (const [index, one] of trickyKeys.entries()) {
        leases.push(await store.lease(one, { owner: `owner ${index}`, ttl: hour }));
      }
      for (const [index, one] of trickyKeys.entries()) {
        await assertRejects(store.append(one, remarks(1)), "lease_held", `an append to log ${index} without its lease`);
        assertEqual(await store.append(one, remarks(1), { lease: leases[index] }), 1, `an append to log ${index}`);
      }
    },
  },
  {
    name: "lease tells owners apart, whatever their names are",
    async check({ store }) {
      for (const owner of new Set(trickyNames.map((name) => name.toWellFormed()))) {
        const lease = await store.lease(key, { owner, ttl: hour });
        const refusal = await assertRejects(
          store.lease(key, { owner: `${owner}!`, ttl: hour }),
          "lease_held",
          "another",
        );
        assertEqual(refusal.owner, owner, "the owner");
        await lease.release();
      }
    },
  },
  {
    name: "lease grants a higher token every time, for any key, also after a release and a delete",
    async check({ store }) {
      const tokens: number[] = [];
      const take = async (one: Key, owner: string) => {
        const lease = await store.lease(one, { owner, ttl: hour });
        tokens.push(lease.token);
        return lease;
      };
      await take(key, "one");
      const other = await take({ conversation: "d", user: "u" }, "one");
      await take(key, "one");
      await other.release();
      await take({ conversation: "d", user: "u" }, "two");
      await store.append({ conversation: "e" }, remarks(1));
      const deleted = await take({ conversation: "e" }, "one");
      await store.delete({ conversation: "e" });
      await deleted.release();
      await take({ conversation: "e" }, "one");
      await store.delete(key);
      await take(key, "one");
      assertEqual(
        tokens,
        [...new Set(tokens)].toSorted((one, other) => one - other),
        "the tokens in the order in which they were given",
      );
      assert(tokens.every(Number.isSafeInteger), `Tokens must be whole numbers: ${tokens}.`);
    },
  },
  {
    name: "renew extends a lease, by its first `ttl` or by the given one",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      const first = lease.expiresAt;
      await lease.renew(10 * hour);
      assert(lease.expiresAt > first + 8 * hour, `expiresAt is ${lease.expiresAt - first} ms later, of about 9 hours.`);
      await isHeldUntil(store, lease);
      await lease.renew();
      assert(lease.expiresAt < first + 5 * hour, "A renewal without a time lasts as long as the lease did at first.");
      await isHeldUntil(store, lease);
    },
  },
  {
    name: "renew keeps a lease that would have expired",
    timeout: 240_000,
    async check({ store }) {
      const { lease, ttl } = await renewed(store);
      await pause(ttl + 100);
      assertEqual(await store.append(key, remarks(1), { lease }), 1, "an append after the first end of the lease");
      await isHeldUntil(store, lease);
    },
  },
  {
    name: "a lease expires by itself, and the next owner gets it",
    async check({ store, patience }) {
      const first = await store.lease(key, { owner: "one", ttl: 60 });
      const second = await whenFree(store, "two", patience);
      assert(second.token > first.token, `Token ${second.token} must be above ${first.token}.`);
      await isHeldUntil(store, second);
    },
  },
  {
    name: "renew can make a lease end sooner",
    async check({ store, patience }) {
      const first = await store.lease(key, { owner: "one", ttl: hour });
      await first.renew(60);
      await whenFree(store, "two", patience);
      await assertRejects(first.renew(), "lease_lost", "renewing an expired lease");
    },
  },
  {
    name: "release lets the next owner in, may be called again, and never ends the lease of another",
    async check({ store }) {
      const first = await store.lease(key, { owner: "one", ttl: hour });
      await first.release();
      await first.release();
      assertEqual(await store.append(key, remarks(1)), 1, "an append without a lease");
      const second = await store.lease(key, { owner: "two", ttl: hour });
      await first.release();
      await isHeldUntil(store, second);
      await assertRejects(first.renew(), "lease_lost", "renewing what was released");
      await isHeldUntil(store, second);
    },
  },
  {
    name: "lease and renew accept only a `ttl` above 0, and change nothing otherwise",
    async check({ store }) {
      const lease = await store.lease({ conversation: "d" }, { owner: "one", ttl: hour });
      const { expiresAt } = lease;
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(store.lease(key, { owner: "one", ttl }), `a lease of ${ttl} ms`);
        await assertOutOfRange(lease.renew(ttl), `a renewal of ${ttl} ms`);
      }
      assertEqual(lease.expiresAt, expiresAt, "the end of the lease");
      assertEqual(await store.append(key, remarks(1)), 1, "an append to the key without a lease");
    },
  },
];
