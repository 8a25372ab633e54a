import { assert, assertEqual } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import type { Claim } from "../../wakes.ts";
import type { Case } from "../case.ts";
import { hour } from "../samples/times.ts";
import { trickyNames } from "../samples/tricky-names.ts";
import { claimAll, claimOne, whenDue } from "./claiming.ts";
import { timeOf } from "./store-time.ts";

/** What `queue` tells. */
export const queueCases: Case[] = [
  {
    name: "queue counts what is due and parked, and tells who has claimed what, for how long and why",
    async check({ store, patience }) {
      const names = ["a", "b", "c", "d"].map((conversation) => ({ conversation, user: trickyNames[0] ?? "" }));
      assertEqual(await counted(store), [0, 0, 0], "what is due, claimed and parked in an empty store");
      assertEqual((await store.queue()).dueSince, undefined, "since when something is due");
      const before = await timeOf(store);
      for (const key of names) await store.wake(key, { id: "x", at: 0 });
      await store.wake({ conversation: "later" }, { id: "x", at: before + hour });
      await store.wake({ conversation: "elsewhere" }, { id: "x", at: 0, scope: "another" });
      const waiting = await store.queue();
      assertEqual([waiting.due, waiting.claims, waiting.parked], [4, [], 0], "what is due, claimed and parked");
      assert((waiting.dueSince ?? Number.NaN) <= waiting.now, `The longest is due since ${waiting.dueSince}.`);
      assert(before <= waiting.now, `It is ${waiting.now}, but it was ${before} before.`);

      const owner = trickyNames.at(-1) ?? "";
      const long = await claimOne(store, { owner, ttl: hour });
      const short = await claimOne(store, { owner: "short", ttl: hour / 2 });
      await store.park(await claimOne(store), "It fails.");
      const queue = await store.queue();
      assertEqual([queue.due, queue.parked], [1, 1], "what is due and parked after three claims");
      assertEqual(
        queue.claims,
        [short, long].map(({ key, owner, reasons, attempts, expiresAt }) => ({
          key,
          owner,
          reasons,
          attempts,
          expiresAt,
        })),
        "the claims",
      );
      await store.done(long);
      await store.defer(short, 0);
      assertEqual(await counted(store), [2, 0, 1], "after the claims have ended");

      await claimAll(store, { ttl: 20 });
      assertEqual(
        (await whenDue(store, patience, { ttl: hour })).attempts,
        2,
        "the attempts of a claim that had ended",
      );
      const [again] = (await store.queue()).claims;
      assertEqual(again?.attempts, 2, "the attempts that the queue tells");
    },
  },
  {
    name: "queue tells which conversations wait for their next try, and when it comes",
    async check({ store }) {
      const now = await timeOf(store);
      const user = trickyNames[0] ?? "";
      const names = ["late", "soon", "timer", "claimed", "parked", "posted"];
      for (const conversation of names) await store.wake({ conversation, user }, { id: "x", at: 0 });
      await store.wake({ conversation: "elsewhere" }, { id: "x", at: 0, scope: "another" });
      await store.wake({ conversation: "never tried" }, { id: "x", at: now + hour });
      const claims = new Map((await claimAll(store)).map((claim) => [claim.key.conversation, claim]));
      const [elsewhere] = await store.claim({ owner: "x", limit: 1, ttl: hour, scope: "another" });
      const claimOf = (name: string) => claims.get(name) as Claim;
      await store.defer(claimOf("late"), now + 3 * hour);
      await store.defer(claimOf("soon"), now + hour);
      await store.defer(claimOf("timer"), now + 3 * hour);
      await store.wake({ conversation: "timer", user }, { id: "y", at: now + 2 * hour });
      await store.park(claimOf("parked"), "It fails.");
      await store.defer(claimOf("posted"), now + hour);
      await store.wake({ conversation: "posted", user }, { id: "y", at: 0 });
      if (elsewhere) await store.defer(elsewhere, now + hour);
      const { deferred, claims: standing } = await store.queue();
      assertEqual(
        deferred,
        [
          { key: { conversation: "soon", user }, at: now + hour },
          { key: { conversation: "timer", user }, at: now + 2 * hour },
          { key: { conversation: "late", user }, at: now + 3 * hour },
        ],
        "what waits for its next try",
      );
      assertEqual(standing.length, 1, "the claims that stand");
    },
  },
];

async function counted(store: Pick<Store, "queue">): Promise<number[]> {
  const { due, claims, parked } = await store.queue();
  return [due, claims.length, parked];
}
