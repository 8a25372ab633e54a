import type { LogEvent } from "@cogency/protocol";
import { assert, assertEqual } from "@cogency/protocol/testkit";
import type { Claim } from "../../wakes.ts";
import { assertRejects } from "../assert-rejects.ts";
import { needing } from "../case.ts";
import { everyKind, key, oddData, oddTexts, remarks, said } from "../samples/events.ts";
import { everyMessage, prompt } from "../samples/messages.ts";
import { hour } from "../samples/times.ts";
import { trickyKeys } from "../samples/tricky-names.ts";
import { assertNothingDue, claimAll, claimOne } from "./claiming.ts";
import { timeOf } from "./store-time.ts";

/** What a store must still contain after it was closed and opened again. */
export const reopenCases = needing("reopen", [
  {
    name: "a store that is opened again returns every event unchanged",
    async check({ store, reopen }) {
      const events: LogEvent[] = [
        ...Object.values(everyKind),
        ...Object.values(oddTexts).map((text) => said(text)),
        ...Object.values(oddData).map(
          (data): LogEvent => ({ type: "record", kind: "summary", data, timestamp: 1_700_000_000.125 }),
        ),
      ];
      await store.append(key, events);
      const later = await reopen();
      assertEqual(
        await later.load(key),
        events.map((event, index) => ({ ...event, seq: index + 1 })),
        "the log",
      );
      assertEqual(await later.append(key, remarks(1)), events.length + 1, "the number of the next event");
    },
  },
  {
    name: "a store that is opened again returns an event of ten megabytes",
    async check({ store, reopen }) {
      const content = "0123456789abcdé\n".repeat(625_000);
      await store.append(key, [said(content)]);
      const [event] = await (await reopen()).load(key);
      assertEqual(event?.type === "user" && event.content === content, true, "whether the text came back unchanged");
    },
  },
  {
    name: "a store that is opened again tells users and conversations apart, whatever their names are",
    async check({ store, reopen }) {
      for (const [index, one] of trickyKeys.entries()) await store.append(one, [said(`event of log ${index}`)]);
      const later = await reopen();
      for (const [index, one] of trickyKeys.entries()) {
        assertEqual(await later.load(one), [{ ...said(`event of log ${index}`), seq: 1 }], `log ${index}`);
      }
    },
  },
  {
    name: "a store that is opened again lists conversations in the same order, with the same summaries",
    async check({ store, reopen }) {
      for (const conversation of ["a", "b", "c", "a"])
        await store.append({ conversation }, [said("x", 5), said("y", 3)]);
      const listed = await store.conversations();
      assertEqual(await (await reopen()).conversations(), listed, "the list");
    },
  },
  {
    name: "a store that is opened again knows the batches it has stored",
    async check({ store, reopen }) {
      await store.append(key, remarks(2), { batch: "b" });
      await store.append(key, remarks(1));
      const later = await reopen();
      assertEqual(await later.append(key, remarks(2), { batch: "b", expected: 99 }), 2, "the batch once more");
      assertEqual((await later.load(key)).length, 3, "the number of events");
    },
  },
  {
    name: "a store that is opened again has nothing of what was deleted",
    async check({ store, reopen }) {
      await store.append(key, [said("walnut")], { batch: "b" });
      await store.saveProfile("u", { likes: "walnuts" });
      await store.delete(key);
      await store.deleteProfile("u");
      const later = await reopen();
      assertEqual(await later.load(key), [], "the log");
      assertEqual(await later.conversations(), [], "the conversations");
      assertEqual(await later.search("walnut", { user: undefined }), [], "what a search finds");
      assertEqual(await later.loadProfile("u"), null, "the profile");
      assertEqual(await later.append(key, [said("anew")], { batch: "b", expected: 0 }), 1, "the old batch id");
    },
  },
  {
    name: "a store that is opened again finds earlier events, whether they were searched before or not",
    async check({ store, reopen }) {
      await store.append(key, [said("a walnut")]);
      assertEqual((await store.search("walnut", { user: undefined })).length, 1, "the matches before");
      await store.append(key, [said("walnut again")]);
      const later = await reopen();
      const found = await later.search("walnut", { user: undefined });
      assertEqual(
        found.map(({ seq }) => seq),
        [2, 1],
        "the events found after",
      );
    },
  },
  {
    name: "a store that is opened again has the profiles, and continues their versions",
    async check({ store, reopen }) {
      await store.saveProfile("u", { first: 1 });
      await store.saveProfile("u", { second: "\u0000 🙂" });
      const later = await reopen();
      assertEqual(await later.loadProfile("u"), { profile: { second: "\u0000 🙂" }, version: 2 }, "the profile");
      assertEqual(await later.saveProfile("u", 3, { expected: 2 }), 3, "the next version");
    },
  },
  {
    name: "a store that is opened again knows the owner of a lease, and grants no token twice",
    async check({ store, reopen }) {
      const held = await store.lease(key, { owner: "one", ttl: 600_000 });
      const released = await store.lease({ conversation: "d" }, { owner: "one", ttl: 600_000 });
      await released.release();
      const later = await reopen();
      const refusal = await assertRejects(
        later.lease(key, { owner: "two", ttl: 1_000 }),
        "lease_held",
        "another owner",
      );
      assertEqual([refusal.owner, refusal.expiresAt], ["one", held.expiresAt], "who holds it, and until when");
      await assertRejects(later.append(key, remarks(1)), "lease_held", "an append without the lease");
      assertEqual(await later.append(key, remarks(1), { lease: held }), 1, "an append with it");
      const next = await later.lease({ conversation: "e" }, { owner: "two", ttl: 1_000 });
      assertEqual(next.token > released.token, true, `whether token ${next.token} is above ${released.token}`);
    },
  },
  {
    name: "a store that is opened again has the messages, in order, and knows those that were taken",
    async check({ store, reopen }) {
      await store.append(key, remarks(1));
      for (const [what, message] of Object.entries(everyMessage)) await store.post(key, message, { id: what });
      await store.post(key, prompt("x"), { id: "later", at: (await timeOf(store)) + hour });
      await store.append(key, remarks(1), { takes: ["steer"], batch: "b" });
      const inbox = await store.inbox(key);
      const later = await reopen();
      assertEqual(await later.inbox(key), inbox, "the inbox");
      for (const [what, message] of Object.entries(everyMessage)) await later.post(key, message, { id: what });
      await later.post(key, prompt("x"), { id: "later" });
      assertEqual(await later.inbox(key), inbox, "the inbox after each was posted once more");
      await assertRejects(
        later.post(key, prompt("y"), { id: "steer" }),
        "conflict",
        "another message under a taken id",
      );
      await assertRejects(later.append(key, remarks(1), { takes: ["steer"] }), "conflict", "taking it again");
      assertEqual(await later.append(key, remarks(1), { takes: ["steer"], batch: "b" }), 2, "the batch once more");
      await later.post(key, prompt("z"), { id: "last" });
      assertEqual((await later.inbox(key)).at(-1)?.id, "last", "the last message");
    },
  },
  {
    name: "a store that is opened again knows what is due, claimed, deferred and parked, in which scope",
    async check({ store, reopen }) {
      const at = (await timeOf(store)) + 10 * hour;
      await store.append(key, remarks(1), { scope: "a" });
      await store.wake(key, { id: "first", at: 0, scope: "b" });
      await store.wake({ conversation: "deferred" }, { id: "a", at: 0, scope: "a" });
      await store.wake({ conversation: "parked" }, { id: "a", at: 0, scope: "a" });
      const claims = new Map((await claimAll(store, { scope: "a" })).map((claim) => [claim.key.conversation, claim]));
      const claimOf = (conversation: string) => claims.get(conversation) as Claim;
      await store.wake(key, { id: "second", at });
      await store.defer(claimOf("deferred"), at - hour);
      await store.park(claimOf("parked"), "It fails.");
      await store.post({ conversation: "due" }, prompt("x"), { id: "a", scope: "a" });
      const parked = await store.parked({ scope: "a" });
      const later = await reopen();
      assertEqual(await later.parked({ scope: "a" }), parked, "what is parked");
      const due = await claimOne(later, { scope: "a" });
      assertEqual([due.key, due.reasons], [{ conversation: "due" }, ["inbox"]], "what is due");
      assert(![...claims.values()].some(({ token }) => token === due.token), "No token is granted twice.");
      await assertNothingDue(later, "after that", { scope: "a" });
      assertEqual(await later.done(claimOf("c")), true, "the end of a claim from before");
      assertEqual(await later.done(claimOf("deferred")), false, "the end of a claim that was deferred");
      await later.delete({ conversation: "due" });
      assertEqual(await later.nextWake({ scope: "a" }), at - hour, "when the deferred conversation is due");
      await later.delete({ conversation: "deferred" });
      assertEqual(await later.nextWake({ scope: "a" }), at, "when the other timer is due");
      assertEqual(await later.unpark({ conversation: "parked" }), true, "unpark");
      assertEqual((await claimOne(later, { scope: "a" })).reasons, ["timer:a"], "why the parked one was due");
    },
  },
  {
    name: "a store that is opened again knows the places that are taken",
    async check({ store, reopen }) {
      const options = { limit: 2, owner: "one", ttl: hour };
      for (let count = 0; count < 2; count++) await store.slot("name", options);
      const later = await reopen();
      assertEqual(await later.slot("name", options), null, "a third place");
      assert((await later.slot("another", options)) !== null, "A place under another name must be free.");
    },
  },
  {
    name: "a store that is opened again has no message, wake or scope of what was deleted",
    async check({ store, reopen }) {
      await store.append({ conversation: "kept" }, remarks(1));
      await store.post(key, prompt("x"), { id: "a", scope: "a" });
      await store.post(key, prompt("x"), { id: "b" });
      await store.append(key, remarks(1), { takes: ["b"] });
      await store.wake(key, { id: "a", at: 0 });
      await store.park(await claimOne(store, { scope: "a" }), "x");
      await store.delete(key);
      const later = await reopen();
      assertEqual((await later.load({ conversation: "kept" })).length, 1, "the length of the log that was kept");
      assertEqual(
        [await later.inbox(key), await later.parked({ scope: "a" })],
        [[], []],
        "the inbox and what is parked",
      );
      assertEqual(await later.nextWake({ scope: "a" }), undefined, "when something is due");
      await later.post(key, prompt("anew"), { id: "b" });
      assertEqual((await claimOne(later)).attempts, 1, "the attempts of a claim without a scope");
    },
  },
]);
