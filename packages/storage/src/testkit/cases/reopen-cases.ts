import type { LogEvent } from "@cogency/protocol";
import { assertEqual } from "@cogency/protocol/testkit";
import { assertRejects } from "../assert-rejects.ts";
import { needing } from "../case.ts";
import { everyKind, key, oddData, oddTexts, remarks, said } from "../samples/events.ts";
import { trickyKeys } from "../samples/tricky-names.ts";

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
]);
