import type { LogEvent } from "@cogency/protocol";
import { assertEqual } from "@cogency/protocol/testkit";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks, said } from "../samples/events.ts";
import { prompt } from "../samples/messages.ts";
import { claimAll, claimOne } from "./claiming.ts";

export const lifecycleCases: Case[] = [
  {
    name: "delete leaves nothing behind: no log, no entry in the list, no batch id, no match, no lease",
    async check({ store }) {
      await store.append({ conversation: "other" }, remarks(2));
      await store.append(key, remarks(3), { batch: "b" });
      const lease = await store.lease(key, { owner: "one", ttl: 3_600_000 });
      assertEqual((await store.search("remark", { user: undefined })).length, 5, "what is found before");
      assertEqual(await store.delete(key), true, "deleting a conversation");
      assertEqual(await store.load(key), [], "the log");
      assertEqual(
        (await store.conversations()).map(({ conversation }) => conversation),
        ["other"],
        "the list",
      );
      assertEqual((await store.search("remark", { user: undefined })).length, 2, "what is found after");
      await assertRejects(store.append(key, remarks(1), { lease }), "lease_lost", "an append with the lease");
      assertEqual((await store.load({ conversation: "other" })).length, 2, "the other log");
      assertEqual(
        await store.append(key, [said("anew", 9)], { batch: "b", expected: 0 }),
        1,
        "an append with the old batch id",
      );
      assertEqual(await store.load(key), [{ ...said("anew", 9), seq: 1 }], "the new log");
      const [summary] = await store.conversations();
      assertEqual(
        summary,
        { conversation: "c", title: "anew", events: 1, createdAt: 9, updatedAt: 9 },
        "the new summary",
      );
    },
  },
  {
    name: "delete returns whether the conversation existed",
    async check({ store }) {
      assertEqual(await store.delete(key), false, "a conversation that was never written");
      await store.append(key, remarks(1));
      assertEqual(await store.delete({ ...key, user: "u" }), false, "another user's conversation of that name");
      assertEqual(await store.delete(key), true, "the conversation");
      assertEqual(await store.delete(key), false, "the conversation a second time");
    },
  },
  {
    name: "close makes every later call fail with `closed`, and may be called again",
    async check({ store }) {
      await store.append(key, remarks(1), { batch: "b" });
      await store.saveProfile("u", 1);
      await store.post(key, prompt("x"), { id: "b" });
      const claim = await claimOne(store);
      const lease = await store.lease(key, { owner: "one", ttl: 3_600_000 });
      await store.close();
      await assertRejects(store.append(key, remarks(1)), "closed", "append");
      await assertRejects(store.append(key, remarks(1), { lease }), "closed", "append with a lease");
      await assertRejects(store.append(key, []), "closed", "append of an empty batch");
      await assertRejects(store.append(key, [{} as LogEvent]), "closed", "append of a wrong event");
      await assertRejects(store.append(key, remarks(1), { batch: "b" }), "closed", "append of a stored batch");
      await assertRejects(store.load(key), "closed", "load");
      await assertRejects(store.conversations(), "closed", "conversations");
      await assertRejects(store.delete(key), "closed", "delete");
      await assertRejects(store.search("remark", { user: undefined }), "closed", "search");
      await assertRejects(store.loadProfile("u"), "closed", "loadProfile");
      await assertRejects(store.saveProfile("u", 2), "closed", "saveProfile");
      await assertRejects(store.deleteProfile("u"), "closed", "deleteProfile");
      await assertRejects(store.lease(key, { owner: "one", ttl: 1_000 }), "closed", "lease");
      await assertRejects(lease.renew(), "closed", "renewing a lease");
      await assertRejects(store.renew([lease]), "closed", "renew");
      await assertRejects(store.renew([]), "closed", "renew of no lease");
      await assertRejects(store.post(key, prompt("x"), { id: "a" }), "closed", "post");
      await assertRejects(store.post(key, prompt("x"), { id: "b" }), "closed", "post of a message that is there");
      await assertRejects(store.inbox(key), "closed", "inbox");
      await assertRejects(store.wake(key, { id: "a", at: 0 }), "closed", "wake");
      await assertRejects(claimAll(store), "closed", "claim");
      await assertRejects(store.done(claim), "closed", "done");
      await assertRejects(store.defer(claim, 0), "closed", "defer");
      await assertRejects(store.renewClaim(claim, 1_000), "closed", "renewClaim");
      await assertRejects(store.park(claim, "x"), "closed", "park");
      await assertRejects(store.unpark(key), "closed", "unpark");
      await assertRejects(store.parked(), "closed", "parked");
      await assertRejects(store.nextWake(), "closed", "nextWake");
      await assertRejects(store.queue(), "closed", "queue");
      await assertRejects(store.slot("name", { limit: 1, owner: "one", ttl: 1_000 }), "closed", "slot");
      await lease.release();
      await store.close();
    },
  },
  {
    name: "close waits for running calls, or fails them with `closed`: no change is half done",
    async check({ store, reopen }) {
      const batches = Array.from({ length: 20 }, (_, index) => remarks(3, `batch ${index}, remark`));
      const appends = batches.map((batch) =>
        store.append(key, batch).catch(async (error: unknown) => {
          await assertRejects(Promise.reject(error), "closed", "an append that was going on");
          return undefined;
        }),
      );
      await store.close();
      const ends = (await Promise.all(appends)).filter((end) => end !== undefined);
      const log = await (await reopen()).load(key);
      assertEqual(
        log.map(({ seq }) => seq),
        log.map((_, index) => index + 1),
        "the numbers",
      );
      assertEqual(
        [log.length % 3, log.length >= 3 * ends.length],
        [0, true],
        "whether what resolved is there, in whole batches",
      );
    },
    needs: ["reopen"],
  },
];
