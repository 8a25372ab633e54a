import { assert, assertEqual } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import { assertOutOfRange, assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks, said } from "../samples/events.ts";
import { prompt } from "../samples/messages.ts";
import { day, hour } from "../samples/times.ts";
import { trickyNames } from "../samples/tricky-names.ts";
import { assertNothingDue, claimAll, claimOne, whenDue } from "./claiming.ts";
import { whenFree } from "./leasing.ts";
import { timeOf } from "./store-time.ts";

/** What makes a conversation due, and when. */
export const dueCases: Case[] = [
  {
    name: "nothing is due in a new store, nor after appends, reads and releases of leases",
    async check({ store }) {
      await isIdle(store, "in a new store");
      await store.append(key, remarks(2));
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      await store.append(key, remarks(2), { lease });
      await lease.renew();
      await lease.release();
      await store.load(key);
      await store.inbox(key);
      await isIdle(store, "after an append and a lease that was released");
    },
  },
  {
    name: "a posted message makes its conversation due, and a claim says whose, why and until when",
    async check({ store }) {
      for (const one of [key, { conversation: "d", user: "u" }]) {
        const before = await timeOf(store);
        await store.post(one, prompt("x"), { id: "a" });
        const due = await store.nextWake();
        const claim = await claimOne(store, { owner: "worker 7", ttl: hour });
        const after = await timeOf(store);
        const { key: claimed, owner, reasons, attempts, claimedAt, expiresAt, token } = claim;
        assertEqual(claimed, one, "the key");
        assertEqual([owner, reasons, attempts], ["worker 7", ["inbox"], 1], "the owner, the reasons and the attempts");
        assert(Number.isSafeInteger(token), `The token must be a whole number, got ${token}.`);
        assert(Math.abs(expiresAt - claimedAt - hour) < 1, `The claim lasts ${expiresAt - claimedAt} ms, not an hour.`);
        const times = [before, due ?? Number.NaN, claimedAt, after];
        assertEqual(
          times,
          times.toSorted((one, other) => one - other),
          "the times before the post, of the wake, of the claim and after it",
        );
      }
    },
  },
  {
    name: "a message makes its conversation due until it is taken",
    async check({ store }) {
      for (const id of ["a", "b"]) await store.post(key, prompt("x"), { id });
      await store.append(key, remarks(1), { takes: ["a"] });
      assert(((await store.nextWake()) ?? Number.NaN) <= (await timeOf(store)), "One message must make it due.");
      await store.append(key, remarks(1), { takes: ["b"] });
      await isIdle(store, "after the messages were taken");
    },
  },
  {
    name: "a message for later makes its conversation due at its time, and not before",
    async check({ store, patience }) {
      const at = (await timeOf(store)) + hour;
      await store.post(key, prompt("x"), { id: "a", at: at + hour });
      await store.post(key, prompt("x"), { id: "b", at });
      assertEqual(await store.nextWake(), at, "when it is due");
      await assertNothingDue(store, "before that");
      const soon = (await timeOf(store)) + 80;
      await store.post(key, prompt("x"), { id: "c", at: soon });
      const { reasons, claimedAt } = await whenDue(store, patience);
      assertEqual(reasons, ["inbox"], "the reasons");
      assert(claimedAt >= soon, `It was claimed ${soon - claimedAt} ms before its time.`);
    },
  },
  {
    name: "wake makes a conversation due at its time, and not before",
    async check({ store, patience }) {
      const at = (await timeOf(store)) + 80;
      await store.wake(key, { id: "soon", at });
      assertEqual(await store.nextWake(), at, "when it is due");
      const { key: claimed, reasons, claimedAt } = await whenDue(store, patience);
      assertEqual([claimed, reasons], [key, ["timer:soon"]], "the key and the reasons");
      assert(claimedAt >= at, `It was claimed ${at - claimedAt} ms before its time.`);
      assertEqual([await store.load(key), await store.conversations()], [[], []], "the log and the list");
    },
  },
  {
    name: "wake for a time that has passed makes the conversation due at once",
    async check({ store }) {
      for (const [index, at] of [0, -1e15, -Number.MAX_VALUE, 0.5].entries()) {
        await store.wake({ conversation: `${index}` }, { id: "a", at });
        assert(((await store.nextWake()) ?? Number.NaN) <= (await timeOf(store)), "nextWake must be in the past.");
        assertEqual((await claimOne(store)).key, { conversation: `${index}` }, "what is claimed");
      }
    },
  },
  {
    name: "wake with the id of an earlier timer moves that timer, and keeps the others",
    async check({ store }) {
      const now = await timeOf(store);
      await store.wake(key, { id: "a", at: now - hour });
      await store.wake(key, { id: "a", at: now + 2 * hour });
      assertEqual(await store.nextWake(), now + 2 * hour, "when it is due after a move to later");
      await assertNothingDue(store, "after a move to later");
      await store.wake(key, { id: "b", at: now + hour });
      await store.wake({ conversation: "d" }, { id: "a", at: now + 3 * hour });
      assertEqual(await store.nextWake(), now + hour, "when the first of several is due");
      await store.wake(key, { id: "b", at: 0 });
      assertEqual((await claimOne(store)).reasons, ["timer:b"], "the reasons after a move to the past");
    },
  },
  {
    name: "a claim has all reasons for which its conversation was due, sorted, whatever the ids of timers are",
    async check({ store }) {
      await store.wake(key, { id: "later", at: (await timeOf(store)) + hour });
      for (const id of trickyNames) await store.wake(key, { id, at: 0 });
      await store.post(key, prompt("x"), { id: "timer" });
      const expected = ["inbox", ...trickyNames.map((id) => `timer:${id}`)].toSorted();
      assertEqual((await claimOne(store)).reasons, expected, "the reasons");
    },
  },
  {
    name: "wake and defer accept only finite times, and far ones",
    async check({ store }) {
      for (const at of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(store.wake(key, { id: "a", at }), `a wake at ${at}`);
      }
      await isIdle(store, "after refused wakes");
      for (const at of [(await timeOf(store)) + 100 * day, 1e18, Number.MAX_VALUE]) {
        await store.wake(key, { id: "a", at });
        assertEqual(await store.nextWake(), at, "when it is due");
        await assertNothingDue(store, "before that");
      }
      await store.wake(key, { id: "a", at: 0 });
      const claim = await claimOne(store);
      for (const at of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        await assertOutOfRange(store.defer(claim, at), `a defer to ${at}`);
      }
      assertEqual(await store.defer(claim, Number.MAX_VALUE), true, "a defer after the refused ones");
      assertEqual(await store.nextWake(), Number.MAX_VALUE, "when it is due then");
    },
  },
  {
    name: "the end of a lease that nobody released makes its conversation due",
    async check({ store, patience }) {
      await store.append(key, remarks(1));
      const lease = await store.lease(key, { owner: "one", ttl: hour });
      assertEqual(await store.nextWake(), lease.expiresAt, "when it is due");
      await lease.renew(2 * hour);
      assertEqual(await store.nextWake(), lease.expiresAt, "when it is due after a renewal");
      await assertNothingDue(store, "while the lease lasts");
      await store.renew([lease], 60);
      const { key: claimed, reasons, claimedAt } = await whenDue(store, patience);
      assertEqual([claimed, reasons], [key, ["lease"]], "the key and the reasons");
      assert(claimedAt >= lease.expiresAt, "It must not be claimed before the end of the lease.");
      await lease.release();
      await assertNothingDue(store, "after that");
    },
  },
  {
    name: "a lease that has ended can no longer be released: its conversation stays due",
    async check({ store, patience }) {
      await store.append(key, remarks(1));
      const lease = await store.lease(key, { owner: "one", ttl: 60 });
      // The end is known by another conversation that becomes due later.
      await store.wake({ conversation: "later" }, { id: "a", at: lease.expiresAt + 1, scope: "later" });
      await whenDue(store, patience, { scope: "later" });
      await lease.release();
      assertEqual((await claimOne(store)).reasons, ["lease"], "the reasons");
    },
  },
  {
    name: "the next lease of a conversation replaces the end of the one before",
    async check({ store, patience }) {
      await store.append(key, remarks(1));
      await store.lease(key, { owner: "one", ttl: 60 });
      const next = await whenFree(store, "two", patience);
      assertEqual(await store.nextWake(), next.expiresAt, "when it is due");
      await assertNothingDue(store, "while the next lease lasts");
      const own = await store.lease(key, { owner: "two", ttl: 2 * hour });
      await next.release();
      assertEqual(await store.nextWake(), own.expiresAt, "when it is due after a take-over by the same owner");
      await own.release();
      await isIdle(store, "after the release");
    },
  },
  {
    name: "a lease of a key that was never written makes nothing due",
    async check({ store, patience }) {
      await store.lease(key, { owner: "one", ttl: 60 });
      const next = await whenFree(store, "two", patience);
      await isIdle(store, "with a lease that has ended and one that lasts");
      await store.append(key, remarks(1), { lease: next, scope: "written" });
      assertEqual(await store.nextWake({ scope: "written" }), next.expiresAt, "when it is due once it is written");
    },
  },
  {
    name: "a conversation belongs to the scope of its first write, whichever method writes first",
    async check({ store }) {
      const writes: ((conversation: string, scope: string | undefined) => Promise<unknown>)[] = [
        (conversation, scope) => store.append({ conversation }, remarks(1), { scope }),
        (conversation, scope) => store.post({ conversation }, prompt("x"), { id: `${scope}`, at: 1e15, scope }),
        (conversation, scope) => store.wake({ conversation }, { id: `${scope}`, at: 1e15, scope }),
      ];
      const scopes = [undefined, "a", ""];
      for (const [turn, scope] of scopes.entries()) {
        for (const [index, first] of writes.entries()) {
          const conversation = `${turn} ${index}`;
          await store.append({ conversation }, [], { scope: "an empty batch" });
          await assertRejects(
            store.append({ conversation }, [said("x", Number.NaN)], { scope: "refused" }),
            "invalid_event",
            "a refused append",
          );
          await first(conversation, scope);
          for (const other of scopes) for (const write of writes) await write(conversation, other);
          await store.wake({ conversation }, { id: "now", at: 0, scope: "another" });
        }
      }
      for (const [turn, scope] of scopes.entries()) {
        const claimed = (await claimAll(store, { scope })).map(({ key }) => key.conversation);
        const expected = writes.map((_, index) => `${turn} ${index}`);
        assertEqual(claimed.toSorted(), expected, `the conversations of scope ${JSON.stringify(scope)}`);
      }
      await assertNothingDue(store, "in another scope", { scope: "another" });
    },
  },
  {
    name: "claim, nextWake and parked are for one scope, whatever its name is",
    async check({ store }) {
      const scopes = [undefined, ...trickyNames];
      for (const [index, scope] of scopes.entries()) {
        await store.wake({ conversation: `${index}` }, { id: "a", at: index, scope });
      }
      for (const [index, scope] of scopes.entries()) {
        assertEqual(await store.nextWake({ scope }), index, `when something is due in scope ${index}`);
        const claims = await claimAll(store, { scope });
        assertEqual(
          claims.map(({ key }) => key.conversation),
          [`${index}`],
          `what is claimed in scope ${index}`,
        );
        for (const claim of claims) await store.park(claim, `parked ${index}`);
        const parked = await store.parked({ scope });
        assertEqual(
          parked.map(({ reason }) => reason),
          [`parked ${index}`],
          `what is parked in scope ${index}`,
        );
      }
    },
  },
];

/** Asserts that nothing is due, now or later. */
export async function isIdle(store: Store, what: string): Promise<void> {
  assertEqual(await store.nextWake(), undefined, `when something is due ${what}`);
  await assertNothingDue(store, what);
}
