import { assert, assertEqual } from "@cogency/protocol/testkit";
import { assertOutOfRange } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks } from "../samples/events.ts";
import { prompt } from "../samples/messages.ts";
import { hour } from "../samples/times.ts";
import { trickyKeys, trickyNames } from "../samples/tricky-names.ts";
import { assertNothingDue, claimAll, claimOne, whenDue } from "./claiming.ts";
import { timeOf, whenPast } from "./store-time.ts";

/** Who gets what is due, and for how long. */
export const claimCases: Case[] = [
  {
    name: "claim gives each conversation to one of many owners that ask at once",
    async check({ store }) {
      const keys = Array.from({ length: 30 }, (_, index) => ({ conversation: `${index}`, user: `user ${index % 4}` }));
      for (const one of keys) await store.post(one, prompt("x"), { id: "a" });
      const claims: Awaited<ReturnType<typeof claimAll>> = [];
      while (claims.length < keys.length) {
        const owners = Array.from({ length: 10 }, (_, index) => `owner ${index}`);
        const claimed = await Promise.all(owners.map((owner) => claimAll(store, { owner, limit: 4 })));
        for (const [index, own] of claimed.entries()) {
          assert(own.length <= 4, `A claim with a limit of 4 returned ${own.length}.`);
          for (const { owner } of own) assertEqual(owner, owners[index], "the owner of the claim");
        }
        assert(claimed.flat().length > 0, "Of many claims at once, none got anything, although something is due.");
        claims.push(...claimed.flat());
      }
      assertEqual(
        claims.map(({ key }) => key.conversation).toSorted(),
        keys.map(({ conversation }) => conversation).toSorted(),
        "what is claimed",
      );
      assertEqual(new Set(claims.map(({ token }) => token)).size, keys.length, "the number of different tokens");
      await assertNothingDue(store, "after that");
    },
  },
  {
    name: "claim returns the key of each conversation as it was written, whatever its names are",
    async check({ store }) {
      for (const one of trickyKeys) await store.wake(one, { id: "a", at: 0 });
      const claims = await claimAll(store);
      assertEqual(claims.length, trickyKeys.length, "the number of claims");
      const left = new Set(trickyKeys.map((one) => JSON.stringify([one.user ?? null, one.conversation])));
      for (const { key: one } of claims) {
        const name = JSON.stringify([one.user ?? null, one.conversation]);
        assert(left.delete(name), `${name} must be due, and claimed once.`);
        assertEqual(Object.hasOwn(one, "user"), one.user !== undefined, "whether the key has a user");
      }
      for (const claim of claims) assertEqual(await store.done(claim), true, "the end of a claim");
      await assertNothingDue(store, "after that");
    },
  },
  {
    name: "claim keeps any name of an owner",
    async check({ store }) {
      for (const owner of trickyNames) {
        await store.wake(key, { id: "a", at: 0 });
        const claim = await claimOne(store, { owner });
        assertEqual(claim.owner, owner, "the owner");
        await store.done(claim);
      }
    },
  },
  {
    name: "claim takes one conversation of each user in turn, and for each user the longest due first",
    async check({ store }) {
      const wakes: [user: string | undefined, conversation: string, at: number][] = [
        ["ada", "third", 3],
        ["ada", "first", 1],
        ["ada", "fourth", 4],
        ["ada", "second", 2],
        ["bob", "his second", 30],
        ["bob", "his first", 20],
        [undefined, "anonymous", 40],
      ];
      for (const [user, conversation, at] of wakes) {
        await store.wake(user === undefined ? { conversation } : { conversation, user }, { id: "a", at });
      }
      const turn = async (limit: number) =>
        (await claimAll(store, { limit })).map(({ key }) => key.conversation).toSorted();
      assertEqual(await turn(3), ["anonymous", "first", "his first"], "the first of each user");
      assertEqual(await turn(2), ["his second", "second"], "the second of each user");
      assertEqual(await turn(1), ["third"], "the next, while one user is left");
      assertEqual(await turn(9), ["fourth"], "the rest");
    },
  },
  {
    name: "claim takes first from the users with the fewest claims",
    async check({ store }) {
      for (let index = 0; index < 4; index++)
        await store.wake({ conversation: `${index}`, user: "busy" }, wakeAt(index));
      const first = await claimOne(store);
      await store.wake({ conversation: "rare", user: "rare" }, wakeAt(100));
      assertEqual((await claimOne(store)).key.user, "rare", "the user of the second claim");
      const [third] = await claimAll(store, { limit: 1 });
      assertEqual(third?.key, { conversation: "1", user: "busy" }, "the third claim");
      await store.wake({ conversation: "rarer", user: "rare" }, wakeAt(200));
      assertEqual((await claimOne(store)).key.user, "rare", "the user of the fourth claim");
      assertEqual(await store.done(first), true, "the end of the first claim");
    },
  },
  {
    name: "claim with `perUser` leaves users who have so many claims by all owners, until one ends",
    async check({ store }) {
      for (let index = 0; index < 4; index++) {
        await store.wake({ conversation: `${index}`, user: "ada" }, wakeAt(index));
        await store.wake({ conversation: `anonymous ${index}` }, wakeAt(index));
      }
      const claims = await claimAll(store, { perUser: 2, owner: "one" });
      assertEqual(
        claims.map(({ key }) => key.conversation).toSorted(),
        ["0", "1", "anonymous 0", "anonymous 1"],
        "what is claimed",
      );
      await assertNothingDue(store, "by another owner", { perUser: 2, owner: "two" });
      await assertNothingDue(store, "with a lower limit", { perUser: 1 });
      const [ended] = claims.filter(({ key }) => key.user === "ada");
      assertEqual(ended && (await store.done(ended)), true, "the end of a claim");
      const next = await claimAll(store, { perUser: 2 });
      assertEqual(
        next.map(({ key }) => key),
        [{ conversation: "2", user: "ada" }],
        "what is claimed then",
      );
      assertEqual((await claimAll(store)).length, 3, "the number of claims without a limit per user");
    },
  },
  {
    name: "claim accepts only whole numbers from 1 up and a `ttl` above 0, and claims nothing otherwise",
    async check({ store }) {
      await store.wake(key, wakeAt(0));
      for (const count of [0, -1, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(claimAll(store, { limit: count }), `a limit of ${count}`);
        await assertOutOfRange(claimAll(store, { perUser: count }), `${count} per user`);
      }
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(claimAll(store, { ttl }), `a ttl of ${ttl}`);
      }
      assertEqual((await claimOne(store)).attempts, 1, "the attempts of the first claim");
    },
  },
  {
    name: "what is claimed is due again at the end of the claim, for the same reasons and whatever comes in between",
    async check({ store, patience }) {
      await store.post(key, prompt("x"), { id: "a" });
      await store.wake(key, { id: "t", at: 0 });
      const first = await claimOne(store);
      assertEqual(await store.nextWake(), first.expiresAt, "when it can be claimed again");
      await store.wake(key, { id: "u", at: 0 });
      await store.append(key, remarks(1), { takes: ["a"] });
      assertEqual(await store.nextWake(), first.expiresAt, "when it can be claimed again, with another timer");
      await assertNothingDue(store, "while the claim lasts");
      assertEqual(await store.defer(first, 0), true, "the end of the first claim");

      const short = await claimOne(store, { ttl: 60, owner: "two" });
      assertEqual(short.reasons, ["inbox", "timer:t", "timer:u"], "the reasons");
      const long = await whenDue(store, patience, { owner: "three" });
      assert(long.claimedAt >= short.expiresAt, "It must not be claimed before the end of the claim.");
      assertEqual([long.reasons, long.attempts], [short.reasons, 2], "the reasons and the attempts");
      assert(long.token !== short.token, "Each claim must have a token of its own.");
      assertEqual(await store.done(long), true, "the end of the last claim");
      assertEqual(await store.nextWake(), undefined, "when something is due after that");
    },
  },
  {
    name: "a claim that has ended can no longer be settled, and nothing changes",
    async check({ store, patience }) {
      await store.wake(key, wakeAt(0));
      const expired = await claimOne(store, { ttl: 60 });
      await whenPast(store, expired.expiresAt, patience);
      const end = async (claim: typeof expired, what: string) => {
        assertEqual(await store.done(claim), false, `done with ${what}`);
        assertEqual(await store.defer(claim, 1e15), false, `defer with ${what}`);
        assertEqual(await store.park(claim, "no"), false, `park with ${what}`);
        assertEqual(await store.renewClaim(claim, hour), false, `renewClaim with ${what}`);
      };
      await end(expired, "a claim whose time is over");
      const claim = await claimOne(store);
      assertEqual([claim.attempts, claim.reasons], [2, ["timer:a"]], "the attempts and the reasons");
      await end(expired, "a claim that another one has replaced");
      await end({ ...claim, key: { ...key, user: "u" } }, "the claim of another conversation");
      await end({ ...claim, token: claim.token + 1_000 }, "a token that was never granted");
      await assertNothingDue(store, "while the second claim lasts");
      assertEqual(await store.nextWake(), claim.expiresAt, "when it can be claimed again");
      assertEqual(await store.done(claim), true, "the end of the second claim");
      await end(claim, "a claim that is done");
      assertEqual([await store.nextWake(), await store.parked()], [undefined, []], "what is due and what is parked");
    },
  },
  {
    name: "a claim that is renewed ends so much later, counts among those of its user, and is still one attempt",
    async check({ store, patience }) {
      const ada = { conversation: "c", user: "ada" };
      await store.wake(ada, wakeAt(0));
      const claim = await claimOne(store, { ttl: 200 });
      assertEqual(await store.renewClaim(claim, hour), true, "whether the claim was still valid");
      const end = (await store.nextWake()) ?? Number.NaN;
      assert(end >= claim.claimedAt + hour, `It ends at ${end}, less than an hour after ${claim.claimedAt}.`);
      await whenPast(store, claim.expiresAt, patience);
      await store.wake({ ...ada, conversation: "d" }, wakeAt(0));
      await assertNothingDue(store, "while a renewed claim lasts, with one per user", { perUser: 1 });
      const [standing] = (await store.queue()).claims;
      assertEqual([standing?.key, standing?.expiresAt, standing?.attempts], [ada, end, 1], "the claim that stands");
      await store.done(await claimOne(store));
      assertEqual(await store.renewClaim(claim, 60), true, "whether the claim was valid at a second renewal");
      const again = await whenDue(store, patience, { perUser: 1 });
      assertEqual([again.key, again.reasons], [ada, ["timer:a"]], "what is due when the claim has ended");
      assertEqual(again.attempts, 2, "the attempts then");
      assertEqual(await store.renewClaim(claim, hour), false, "a renewal of the first claim");
      assertEqual(await store.done(again), true, "the end of the second claim");
    },
  },
  {
    name: "renewClaim accepts only a `ttl` above 0, and changes nothing otherwise",
    async check({ store }) {
      await store.wake(key, wakeAt(0));
      const claim = await claimOne(store);
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
        await assertOutOfRange(store.renewClaim(claim, ttl), `a ttl of ${ttl}`);
      assertEqual(await store.nextWake(), claim.expiresAt, "the end of the claim");
    },
  },
  {
    name: "a claim gives no right to write, and a lease no claim",
    async check({ store }) {
      await store.post(key, prompt("x"), { id: "a" });
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      const claim = await claimOne(store, { owner: "two" });
      assertEqual(claim.reasons, ["inbox"], "the reasons while another holds the lease");
      await store.append(key, remarks(1), { lease, takes: ["a"] });
      assertEqual(await store.done(claim), true, "the end of the claim");
      assertEqual(await store.nextWake(), lease.expiresAt, "when it is due after that");
    },
  },
  {
    name: "nextWake is the earliest time of all conversations of the scope",
    async check({ store }) {
      const now = await timeOf(store);
      const at = (hours: number) => now + hours * hour;
      await store.wake({ conversation: "d" }, { id: "a", at: at(5) });
      await store.post({ conversation: "e", user: "u" }, prompt("x"), { id: "a", at: at(4) });
      assertEqual(await store.nextWake(), at(4), "with a timer and a message");
      await store.wake({ conversation: "f" }, { id: "a", at: 0 });
      const claim = await claimOne(store, { ttl: 2 * hour });
      assertEqual(await store.nextWake(), claim.expiresAt, "with a claim");
      await store.wake({ conversation: "g" }, { id: "a", at: at(1) });
      assertEqual(await store.nextWake(), at(1), "with a timer that is earlier than the claim's end");
      await store.delete({ conversation: "g" });
      await store.done(claim);
      await store.delete({ conversation: "e", user: "u" });
      assertEqual(await store.nextWake(), at(5), "after the others are gone");
    },
  },
];

function wakeAt(at: number): { id: string; at: number } {
  return { id: "a", at };
}
