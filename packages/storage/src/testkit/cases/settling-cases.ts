import { assert, assertEqual, pause } from "@cogency/protocol/testkit";
import type { Case } from "../case.ts";
import { key, remarks } from "../samples/events.ts";
import { prompt } from "../samples/messages.ts";
import { hour } from "../samples/times.ts";
import { trickyNames } from "../samples/tricky-names.ts";
import { assertNothingDue, claimAll, claimOne, whenDue } from "./claiming.ts";
import { isIdle } from "./due-cases.ts";
import { idsOf } from "./inbox-cases.ts";
import { whenFree } from "./leasing.ts";
import { timeOf } from "./store-time.ts";

/** How claims end. */
export const settlingCases: Case[] = [
  {
    name: "done removes what the conversation was due for before the claim",
    async check({ store, patience }) {
      await store.append(key, remarks(1));
      await store.lease(key, { owner: "one", ttl: 60 });
      const first = await whenDue(store, patience);
      assertEqual(await store.defer(first, 0), true, "the end of the first claim");
      await store.post(key, prompt("x"), { id: "a" });
      await store.wake(key, { id: "a", at: 0 });
      const claim = await claimOne(store);
      assertEqual(claim.reasons, ["inbox", "lease", "timer:a"], "the reasons");
      assertEqual(await store.done(claim), true, "whether the claim was still valid");
      await isIdle(store, "after that");
      assertEqual(await idsOf(store), ["a"], "the inbox");
    },
  },
  {
    name: "a message that was in the inbox at the claim and was left there makes nothing due; the next one does",
    async check({ store }) {
      await store.post(key, prompt("x"), { id: "left" });
      await store.done(await claimOne(store));
      await isIdle(store, "with a message that was left");
      await store.post(key, prompt("x"), { id: "left" });
      await isIdle(store, "after a post of the same message");
      await store.append(key, remarks(1));
      await isIdle(store, "after an append");
      await store.post(key, prompt("x"), { id: "next" });
      assertEqual((await claimOne(store)).reasons, ["inbox"], "the reasons after the next post");
    },
  },
  {
    name: "a conversation stays due for what came since the claim",
    async check({ store }) {
      await store.wake(key, { id: "a", at: 0 });
      await store.wake(key, { id: "b", at: 0 });
      const first = await claimOne(store);
      await store.wake(key, { id: "a", at: 0 });
      assertEqual(await store.done(first), true, "the end of the first claim");
      const second = await claimOne(store);
      assertEqual(
        [second.reasons, second.attempts],
        [["timer:a"], 1],
        "the reasons and attempts after a timer was set",
      );
      await store.post(key, prompt("x"), { id: "a" });
      assertEqual(await store.done(second), true, "the end of the second claim");
      const third = await claimOne(store);
      assertEqual([third.reasons, third.attempts], [["inbox"], 1], "the reasons and attempts after a post");
      await store.post(key, prompt("x"), { id: "b" });
      await store.append(key, remarks(1), { takes: ["b"] });
      assertEqual(await store.done(third), true, "the end of the third claim");
      await isIdle(store, "after a message that was posted and taken while the claim lasted");
    },
  },
  {
    name: "a conversation becomes due again for what comes due after the claim",
    async check({ store, patience }) {
      const now = await timeOf(store);
      await store.post(key, prompt("x"), { id: "now" });
      await store.post(key, prompt("x"), { id: "later", at: now + hour });
      await store.wake(key, { id: "later", at: now + 2 * hour });
      await store.done(await claimOne(store));
      assertEqual(await store.nextWake(), now + hour, "when the message for later comes due");
      const soon = (await timeOf(store)) + 80;
      await store.wake(key, { id: "now", at: 0 });
      const claim = await claimOne(store);
      await store.post(key, prompt("x"), { id: "soon", at: soon });
      assertEqual(await store.done(claim), true, "the end of the second claim");
      const next = await whenDue(store, patience);
      assertEqual(next.reasons, ["inbox"], "the reasons then");
      assert(next.claimedAt >= soon, "It must not be claimed before the time of the message.");
      await store.done(next);
      assertEqual(await store.nextWake(), now + hour, "when the message for later comes due, still");
    },
  },
  {
    name: "a lease that was granted while a claim lasted makes the conversation due at its end, unless it is released",
    async check({ store }) {
      await store.post(key, prompt("x"), { id: "a" });
      const claim = await claimOne(store);
      const lease = await store.lease(key, { owner: "worker", ttl: hour });
      assertEqual(await store.done(claim), true, "the end of the claim");
      assertEqual(await store.nextWake(), lease.expiresAt, "when it is due");
      await lease.release();
      await isIdle(store, "after the release");
    },
  },
  {
    name: "defer makes the conversation due again at the time, and does not count as an attempt",
    async check({ store, patience }) {
      await store.wake(key, { id: "a", at: 0 });
      const at = (await timeOf(store)) + hour;
      assertEqual(await store.defer(await claimOne(store), at), true, "whether the claim was still valid");
      assertEqual(await store.nextWake(), at, "when it is due");
      await assertNothingDue(store, "before that");
      await store.wake(key, { id: "b", at: 0 });
      const expiring = await claimOne(store, { ttl: 20 });
      assertEqual(expiring.attempts, 1, "the attempts after a claim that was deferred");
      const again = await whenDue(store, patience);
      assertEqual(again.attempts, 2, "the attempts after a claim that has expired");
      const soon = (await timeOf(store)) + 80;
      await store.defer(again, soon);
      const last = await whenDue(store, patience);
      assertEqual(last.attempts, 2, "the attempts after that was deferred");
      assert(last.claimedAt >= soon, "It must not be claimed before the time.");
      assert(last.reasons.includes("timer:b"), `The reasons must include timer:b: ${last.reasons}.`);
      await store.done(last);
      await store.wake(key, { id: "c", at: 0 });
      assertEqual((await claimOne(store)).attempts, 1, "the attempts after `done`");
    },
  },
  {
    name: "defer to a time that has passed makes the conversation due at once",
    async check({ store }) {
      await store.wake(key, { id: "a", at: 0 });
      for (const at of [0, -1e15, (await timeOf(store)) - 1]) {
        assertEqual(await store.defer(await claimOne(store), at), true, `a defer to ${at}`);
        assert(((await store.nextWake()) ?? Number.NaN) <= (await timeOf(store)), "nextWake must be in the past.");
      }
      assertEqual((await claimOne(store)).reasons, ["timer:a"], "the reasons");
    },
  },
  {
    name: "a deferred conversation is due earlier if something else comes",
    async check({ store }) {
      await store.wake(key, { id: "a", at: 0 });
      const at = (await timeOf(store)) + 2 * hour;
      await store.defer(await claimOne(store), at);
      await store.wake(key, { id: "b", at: at - hour });
      assertEqual(await store.nextWake(), at - hour, "when it is due with an earlier timer");
      await store.post(key, prompt("x"), { id: "a" });
      const { reasons } = await claimOne(store);
      assert(reasons.includes("inbox"), `The reasons must include inbox: ${reasons}.`);
    },
  },
  {
    name: "the release of its lease ends a defer, and the end of it does, too",
    async check({ store, patience }) {
      await store.append(key, remarks(1));
      await store.wake(key, { id: "a", at: 0 });
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      const at = (await timeOf(store)) + 10 * hour;
      await store.defer(await claimOne(store, { owner: "two" }), at);
      assertEqual(await store.nextWake(), lease.expiresAt, "when it is due while the lease lasts");
      await store.wake({ conversation: "d" }, { id: "a", at: 0 });
      await store.defer(await claimOne(store), at);
      await lease.release();
      const claim = await claimOne(store);
      assertEqual([claim.key, claim.reasons], [key, ["timer:a"]], "what the release makes due");
      await lease.release();
      await store.defer(claim, at);
      await lease.release();
      assertEqual(await store.nextWake(), at, "when it is due after a release that ends no lease");
      const short = await store.lease(key, { owner: "one", ttl: 60 });
      const ended = await whenDue(store, patience);
      assert(ended.reasons.includes("lease"), `The reasons must include lease: ${ended.reasons}.`);
      assert(ended.claimedAt >= short.expiresAt, "It must not be claimed before the end of the lease.");
    },
  },
  {
    name: "a release ends no defer of another conversation, nor a claim",
    async check({ store }) {
      const other = { conversation: "d" };
      for (const one of [key, other]) await store.wake(one, { id: "a", at: 0 });
      const at = (await timeOf(store)) + 10 * hour;
      const [first, second] = await claimAll(store);
      assert(first !== undefined && second !== undefined, "Both conversations must be due.");
      await store.defer(first, at);
      const lease = await store.lease(second.key, { owner: "one", ttl: hour });
      await lease.release();
      await assertNothingDue(store, "after a release of what is claimed");
      assertEqual(await store.done(second), true, "the end of the other claim");
      assertEqual(await store.nextWake(), at, "when the deferred conversation is due");
    },
  },
  {
    name: "park keeps the conversation from being claimed, whatever it becomes due for, until unpark",
    async check({ store, patience }) {
      await store.append(key, remarks(1));
      await store.wake(key, { id: "a", at: 0 });
      const before = await timeOf(store);
      const claim = await claimOne(store, { ttl: 20 }).then(() => whenDue(store, patience));
      assertEqual(claim.attempts, 2, "the attempts before");
      assertEqual(await store.park(claim, "It fails each time."), true, "whether the claim was still valid");
      const after = await timeOf(store);
      await store.post(key, prompt("x"), { id: "a" });
      await store.wake(key, { id: "b", at: 0 });
      await (await store.lease(key, { owner: "one", ttl: hour })).release();
      await store.lease(key, { owner: "one", ttl: 20 });
      await whenFree(store, "two", patience).then((lease) => lease.release());
      await isIdle(store, "while it is parked");
      const [parked, ...others] = await store.parked();
      assertEqual([parked?.key, parked?.reason, others], [key, "It fails each time.", []], "what is parked");
      const parkedAt = parked?.parkedAt ?? Number.NaN;
      assert(before <= parkedAt && parkedAt <= after, `It was parked at ${parkedAt}, not in [${before}, ${after}].`);
      assertEqual(await store.unpark(key), true, "unpark");
      assert(((await store.nextWake()) ?? Number.NaN) <= (await timeOf(store)), "It must be due now.");
      const next = await claimOne(store);
      assertEqual(next.attempts, 1, "the attempts after unpark");
      assert(next.reasons.includes("inbox"), `The reasons must include inbox: ${next.reasons}.`);
      assertEqual(
        [await store.unpark(key), await store.parked()],
        [false, []],
        "unpark a second time, and what is parked",
      );
    },
  },
  {
    name: "unpark makes the conversation due even if nothing came since, and is false for what is not parked",
    async check({ store }) {
      assertEqual(await store.unpark(key), false, "unpark of a key that was never written");
      await store.wake(key, { id: "a", at: 0 });
      assertEqual(await store.unpark(key), false, "unpark of what is due");
      const claim = await claimOne(store);
      assertEqual(await store.unpark(key), false, "unpark of what is claimed");
      await store.park(claim, "later");
      assertEqual(await store.unpark({ ...key, user: "u" }), false, "unpark of another user's conversation");
      assertEqual(await store.unpark(key), true, "unpark of what is parked");
      assertEqual((await claimOne(store)).attempts, 1, "the attempts after that");
    },
  },
  {
    name: "parked lists conversations and reasons, the longest parked first, whatever they are",
    async check({ store }) {
      for (const name of trickyNames) {
        await store.wake({ conversation: name, user: name }, { id: "a", at: 0 });
        await store.park(await claimOne(store), name);
        await pause(2);
      }
      assertEqual(
        (await store.parked()).map(({ key, reason }) => [key.conversation, key.user, reason]),
        trickyNames.map((name) => [name, name, name]),
        "what is parked",
      );
    },
  },
  {
    name: "parked lists at most a thousand conversations",
    async check({ store }) {
      const wakes = Array.from({ length: 1_001 }, (_, index) =>
        store.wake({ conversation: `${index}` }, { id: "a", at: 0 }),
      );
      await Promise.all(wakes);
      const claims = await claimAll(store, { limit: 2_000 });
      assertEqual(claims.length, 1_001, "the number of claims");
      await Promise.all(claims.map((claim) => store.park(claim, "x")));
      assertEqual((await store.parked()).length, 1_000, "the number of those that are listed");
      await isIdle(store, "while all are parked");
    },
  },
  {
    name: "delete removes the messages of a conversation with their ids, its wakes, its claim and its scope",
    async check({ store }) {
      await store.post(key, prompt("waits"), { id: "a" });
      await store.post(key, prompt("taken"), { id: "b" });
      await store.post(key, prompt("later"), { id: "c", at: (await timeOf(store)) + hour });
      await store.append(key, remarks(1), { takes: ["b"] });
      await store.wake(key, { id: "later", at: (await timeOf(store)) + hour });
      const claim = await claimOne(store);
      await store.lease(key, { owner: "one", ttl: hour });
      assertEqual(await store.delete(key), true, "deleting the conversation");
      assertEqual(await store.inbox(key), [], "the inbox");
      await isIdle(store, "after that");
      for (const ended of [
        store.done(claim),
        store.defer(claim, 0),
        store.park(claim, "x"),
        store.renewClaim(claim, hour),
      ]) {
        assertEqual(await ended, false, "the end of the claim of what was deleted");
      }
      for (const id of ["a", "b", "c"]) await store.post(key, prompt("anew"), { id, scope: "new" });
      assertEqual(await idsOf(store), ["a", "b", "c"], "the inbox with the same ids");
      await assertNothingDue(store, "in the scope before");
      const next = await claimOne(store, { scope: "new" });
      assertEqual([next.reasons, next.attempts], [["inbox"], 1], "the reasons and the attempts in the new scope");
    },
  },
  {
    name: "delete removes what only has a message, a timer or is parked, and then it existed",
    async check({ store }) {
      await store.post(key, prompt("x"), { id: "a" });
      assertEqual([await store.delete(key), await store.delete(key)], [true, false], "deleting what has a message");
      await store.wake(key, { id: "a", at: 0 });
      assertEqual([await store.delete(key), await store.delete(key)], [true, false], "deleting what has a timer");
      await store.wake(key, { id: "a", at: 0 });
      await store.park(await claimOne(store), "x");
      assertEqual(await store.delete(key), true, "deleting what is parked");
      assertEqual([await store.parked(), await store.unpark(key)], [[], false], "what is parked after that");
      await isIdle(store, "after that");
    },
  },
];
