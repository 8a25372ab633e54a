import { assert, assertEqual, eventually, pause } from "@cogency/protocol/testkit";
import { needing } from "../case.ts";
import { key, remarks } from "../samples/events.ts";
import { prompt } from "../samples/messages.ts";
import { hour } from "../samples/times.ts";
import { assertNothingDue, claimAll, claimOne, whenDue } from "./claiming.ts";
import { firstClaim } from "./wake-watch-cases.ts";
import { watcherOf } from "./watcher.ts";

/** Claims and slots of several processes that have the same data open. */
export const claimProcessCases = needing("elsewhere", [
  {
    name: "processes that claim at once never claim the same conversation, nor more of a user than allowed",
    timeout: 240_000,
    async check({ store, startProcess }) {
      const places = [store, ...(await Promise.all([startProcess(), startProcess(), startProcess()]))];
      for (let index = 0; index < 48; index++) {
        await store.wake({ conversation: `${index}`, user: `user ${index % 3}` }, { id: "a", at: 0 });
      }
      let claimed = 0;
      while (claimed < 48) {
        const options = { owner: "worker", limit: 5, ttl: hour, perUser: 4 };
        const claims = (await Promise.all(places.map((place) => place.claim(options)))).flat();
        assertEqual(
          new Set(claims.map(({ key }) => key.conversation)).size,
          claims.length,
          "the number of different conversations that are claimed at once",
        );
        for (let user = 0; user < 3; user++) {
          const count = claims.filter(({ key }) => key.user === `user ${user}`).length;
          assert(count <= 4, `User ${user} has ${count} claims at once, of at most 4.`);
        }
        assert(claims.length > 0, "Of many claims at once, none got anything, although something is due.");
        // Claims are data: another process may settle them.
        for (const [index, claim] of claims.entries()) {
          assertEqual(await places[index % places.length]?.done(claim), true, "the end of a claim");
        }
        claimed += claims.length;
      }
      assertEqual(claimed, 48, "the number of claims");
      await assertNothingDue(store, "after that");
    },
  },
  {
    name: "what a killed process has claimed is due again at the end of the claim, and what it has leased, too",
    async check({ store, startProcess, patience }) {
      const other = await startProcess();
      await store.append({ conversation: "leased" }, remarks(1), { scope: "leased" });
      await store.post(key, prompt("x"), { id: "a" });
      const { expiresAt: leaseEnd } = await other.lease({ conversation: "leased" }, { owner: "it", ttl: 300 });
      const first = await claimOne(other, { ttl: 300 });
      await other.append(key, remarks(1), { takes: ["a"] });
      await other.end();
      const claim = await whenDue(store, patience);
      assertEqual([claim.key, claim.reasons, claim.attempts], [key, ["inbox"], 2], "what is claimed then");
      assert(claim.claimedAt >= first.expiresAt, "It must not be claimed before the end of the claim.");
      assertEqual(await store.done(first), false, "the end of the claim that has expired");
      const leased = await whenDue(store, patience, { scope: "leased" });
      assertEqual(leased.reasons, ["lease"], "why the leased conversation is due");
      assert(leased.claimedAt >= leaseEnd, "It must not be claimed before the end of the lease.");
    },
  },
  {
    name: "watchWakes yields when something becomes due by another process, or by the end of its claim",
    timeout: 240_000,
    async check({ store, startProcess, patience }) {
      const other = await startProcess();
      const watcher = watcherOf(store.watchWakes(), patience);
      const happenings: Record<string, () => Promise<unknown>> = {
        "another process posts": () => other.post({ conversation: "posted" }, prompt("x"), { id: "a" }),
        "another process sets a timer": () => other.wake({ conversation: "set" }, { id: "a", at: 0 }),
      };
      for (const [what, happen] of Object.entries(happenings)) {
        const claimed = firstClaim(store, watcher, what);
        await pause(20);
        await happen();
        await claimed;
      }
      const woken = watcher.yields("when another process sets a timer and claims it");
      await pause(20);
      await other.wake(key, { id: "a", at: 0 });
      const { expiresAt } = await claimOne(other, { ttl: 300 });
      await other.end();
      await woken;
      const [claim] = await claimAll(store, { limit: 1 });
      const { claimedAt } = claim ?? (await firstClaim(store, watcher, "the claim of another process ends"));
      assert(claimedAt >= expiresAt, "It must not be claimed before the end of the claim.");
    },
  },
  {
    name: "processes never hold more places than the limit, and that of a killed one is free at its end",
    timeout: 240_000,
    async check({ store, startProcess, patience }) {
      const others = await Promise.all([startProcess(), startProcess(), startProcess()]);
      const places = [store, ...others];
      for (let round = 0; round < 10; round++) {
        const options = { limit: 3, owner: "it", ttl: hour };
        const asked = await Promise.all(
          places.flatMap((place) => [place.slot(`${round}`, options), place.slot(`${round}`, options)]),
        );
        assertEqual(asked.filter((slot) => slot !== null).length, 3, `the number of places in round ${round}`);
      }
      const options = { limit: 1, owner: "it", ttl: 300 };
      assert((await others[0]?.slot("killed", options)) !== null, "The place must be free.");
      await others[0]?.end();
      await eventually(async () => (await store.slot("killed", options)) !== null, patience, "The place stays taken");
    },
  },
]);
