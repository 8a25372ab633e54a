import { assert, assertEqual, eventually, pause } from "@cogency/protocol/testkit";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks } from "../samples/events.ts";
import { hour } from "../samples/times.ts";
import { assertLost, renewed, whenFree } from "./leasing.ts";

/** How a holder learns that its lease has ended. */
export const lossCases: Case[] = [
  {
    name: "lost aborts before the store lets another owner in, without a call of the holder",
    async check({ store, patience }) {
      const lease = await store.lease(key, { owner: "one", ttl: 300 });
      const { lost } = lease;
      let aborts = 0;
      lost.addEventListener("abort", () => aborts++);
      await whenFree(store, "two", patience);
      assertLost(lease, "another owner has the lease");
      assertEqual(lease.lost === lost, true, "whether every read gives the same signal");
      await eventually(() => aborts > 0, patience, "No `abort` event came");
      await pause(50);
      assertEqual(aborts, 1, "the number of `abort` events");
    },
  },
  {
    name: "lost has aborted if it is first read after the lease expired",
    async check({ store, patience }) {
      const lease = await store.lease(key, { owner: "one", ttl: 60 });
      await whenFree(store, "two", patience);
      assertLost(lease, "another owner has the lease");
    },
  },
  {
    name: "lost does not abort while the lease is renewed in time, and does at the end of the last renewal",
    timeout: 240_000,
    async check({ store, patience }) {
      const { lease, ttl } = await renewed(store, ({ lost }) => void lost);
      await pause(ttl + 100);
      assert(!lease.lost.aborted, "lost must not abort at the first end of a lease that was renewed.");
      assertEqual(await store.append(key, remarks(1), { lease }), 1, "an append after the first end");
      await lease.renew(60);
      await whenFree(store, "two", patience);
      assertLost(lease, "the renewal was for 60 ms");
    },
  },
  {
    name: "lost aborts when an append or a renewal finds that the lease was taken over or deleted",
    async check({ store }) {
      const takeOver = (conversation: string) => store.lease({ conversation }, { owner: "one", ttl: hour });
      const remove = (conversation: string) => store.delete({ conversation });
      for (const [how, end] of Object.entries({ takeOver, remove })) {
        for (const call of ["append", "renewal", "renewal of several"]) {
          const what = `${call} after ${how}`;
          const own = { conversation: what };
          const lease = await store.lease(own, { owner: "one", ttl: hour });
          assert(!lease.lost.aborted, "lost must not have aborted when the lease is granted.");
          const next = await end(what);
          if (call === "append") {
            await assertRejects(store.append(own, remarks(1), { lease }), "lease_lost", what);
          } else if (call === "renewal") {
            await assertRejects(lease.renew(), "lease_lost", what);
          } else {
            assertEqual((await store.renew([lease])).lost, [lease.token], `the leases that are lost: ${what}`);
          }
          assertLost(lease, what);
          if (typeof next === "object") assert(!next.lost.aborted, `lost of the next lease must not abort: ${what}.`);
        }
      }
    },
  },
  {
    name: "lost does not abort by a release, nor at any time after it",
    timeout: 240_000,
    async check({ store }) {
      for (let ttl = 200; ; ttl *= 4) {
        const lease = await store.lease(key, { owner: "one", ttl });
        const { lost } = lease;
        const released = lease.release();
        // This machine was too slow.
        if (lost.aborted && ttl < 20_000) continue;
        await released;
        await pause(ttl + 50);
        await assertRejects(
          store.append(key, remarks(1), { lease }),
          "lease_lost",
          "an append with the released lease",
        );
        await assertRejects(lease.renew(), "lease_lost", "renewing the released lease");
        assertEqual((await store.renew([lease])).lost, [lease.token], "the released lease among several");
        await pause(20);
        assert(!lost.aborted, "lost must not abort after a release.");
        assert(!lease.lost.aborted, "lost must not abort after a release.");
        return;
      }
    },
  },
  {
    name: "lost does not abort when another conversation refuses the token",
    async check({ store }) {
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      const { lost } = lease;
      for (const other of [{ conversation: "d" }, { ...key, user: "u" }]) {
        await assertRejects(store.append(other, remarks(1), { lease }), "lease_lost", "a lease of another key");
        const lost = await store.lease(other, { owner: "one", ttl: hour });
        await store.delete(other);
        await assertRejects(store.append(other, remarks(1), { lease: lost }), "lease_lost", "a deleted lease");
      }
      await pause(20);
      assert(!lost.aborted, "lost must not abort while the lease lasts.");
      assertEqual(await store.append(key, remarks(1), { lease }), 1, "an append with the lease");
    },
  },
];
