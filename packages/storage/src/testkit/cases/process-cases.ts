import { assert, assertEqual, eventually } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import { assertRejects } from "../assert-rejects.ts";
import { needing } from "../case.ts";
import { key, remarks, said } from "../samples/events.ts";
import { hour } from "../samples/times.ts";
import { followerOf, numbers } from "./follower.ts";

type Batch = Parameters<Store["append"]>;

/** Several processes that have the same data open. */
export const processCases = needing("elsewhere", [
  {
    name: "eight processes append 500 times each to a shared and to a separate conversation: no gap, no duplicate, no loss",
    timeout: 240_000,
    async check({ store, startProcess }) {
      const writers = await Promise.all(Array.from({ length: 8 }, () => startProcess()));
      const contents = (writer: number) =>
        Array.from({ length: 500 }, (_, index) => `writer ${writer}, event ${index}`);
      const appended = writers.map((writer, index) => {
        const own = { conversation: `own ${index}` };
        return writer.appendAll(
          contents(index).flatMap((content, place, all): Batch[] => {
            const batch: Batch = [key, [said(content)]];
            if (place % 10 < 9) return [batch];
            return [batch, [own, all.slice(place - 9, place + 1).map((one) => said(one))]];
          }),
        );
      });
      await Promise.all(appended);
      const log = await store.load(key);
      assertEqual(
        log.map(({ seq }) => seq),
        numbers(1, 4_000),
        "the numbers in the shared log",
      );
      const saidThere = log.map((event) => ("content" in event ? event.content : ""));
      for (const index of writers.keys()) {
        const its = saidThere.filter((content) => content.startsWith(`writer ${index},`));
        assertEqual(its, contents(index), `the events of writer ${index} in the shared log`);
        const own = await store.load({ conversation: `own ${index}` });
        assertEqual(
          own.map((event) => "content" in event && [event.seq, event.content]),
          contents(index).map((content, place) => [place + 1, content]),
          `the log of writer ${index}`,
        );
      }
      assertEqual(
        (await store.conversations()).map(({ events }) => events).toSorted((one, other) => one - other),
        [...Array.from({ length: 8 }, () => 500), 4_000],
        "the numbers of events in the list",
      );
    },
  },
  {
    name: "other processes read, list and find an append at once",
    async check({ store, startProcess }) {
      const other = await startProcess();
      for (let round = 1; round <= 20; round++) {
        await other.append(key, [said(`walnut there${round}x`)]);
        assertEqual((await store.load(key)).length, 2 * round - 1, "the number of events here");
        assertEqual((await store.search(`there${round}x`, { user: undefined })).length, 1, "the matches here");
        await store.append(key, [said(`walnut here${round}x`)]);
        assertEqual((await other.load(key)).length, 2 * round, "the number of events there");
        assertEqual((await other.search(`here${round}x`, { user: undefined })).length, 1, "the matches there");
        assertEqual((await store.conversations())[0]?.events, 2 * round, "the number of events in the list");
      }
      await store.delete(key);
      assertEqual(await other.load(key), [], "the deleted log there");
      assertEqual(await other.search("walnut", { user: undefined }), [], "what is found there of a deleted log");
      await other.append(key, [said("chestnut")]);
      assertEqual((await store.search("chestnut", { user: undefined })).length, 1, "what is found here of the new log");
      assertEqual(await store.search("walnut", { user: undefined }), [], "what is found here of the log before");
    },
  },
  {
    name: "processes that search and append at once find every event once",
    timeout: 240_000,
    async check({ store, startProcess }) {
      const others = await Promise.all([startProcess(), startProcess()]);
      const rounds = [store, ...others].map(async (place, index) => {
        for (let round = 0; round < 20; round++) {
          await place.append({ conversation: `c${round % 3}` }, [said(`walnut by${index}round${round}x`)]);
          const matches = await place.search(`by${index}round${round}x`, { user: undefined });
          assertEqual(matches.length, 1, `the matches of round ${round} in process ${index}`);
        }
      });
      await Promise.all(rounds);
      const matches = await store.search("walnut", { user: undefined, limit: 1_000 });
      assertEqual(matches.length, 60, "the number of matches");
      assertEqual(new Set(matches.map(({ conversation, seq }) => `${conversation} ${seq}`)).size, 60, "different ones");
    },
  },
  {
    name: "one of many processes with the same `expected` wins, and a batch that many send is stored once",
    timeout: 240_000,
    async check({ store, startProcess }) {
      const others = await Promise.all([startProcess(), startProcess(), startProcess()]);
      const places = [store, ...others];
      for (let round = 0; round < 20; round++) {
        const results = await Promise.allSettled(
          places.map((place) => place.append(key, [said("x")], { expected: round })),
        );
        const codes = results.map((one) => (one.status === "fulfilled" ? "stored" : String(one.reason?.code)));
        assertEqual(codes.toSorted(), ["conflict", "conflict", "conflict", "stored"], `the results of round ${round}`);
      }
      for (let round = 1; round <= 20; round++) {
        const ends = await Promise.all(places.map((place) => place.append(key, [said("y")], { batch: `b${round}` })));
        assertEqual([...new Set(ends)], [20 + round], `the results of batch ${round}`);
      }
      assertEqual((await store.load(key)).length, 40, "the number of events");
    },
  },
  {
    name: "follow yields each event of other processes once and in order",
    timeout: 240_000,
    async check({ store, startProcess, patience }) {
      const others = await Promise.all([startProcess(), startProcess()]);
      await store.append(key, [said("first")]);
      const follower = followerOf(store, patience);
      await follower.givesNumbers([1]);
      const next = follower.next();
      await others[0]?.append(key, [said("from elsewhere")]);
      assertEqual((await next)?.seq, 2, "the number of the event that another process appended");
      const appended = others.map((other) => other.appendAll(Array.from({ length: 150 }, () => [key, [said("x")]])));
      const here = Array.from({ length: 20 }, () => store.append(key, [said("here")]));
      await follower.givesNumbers(numbers(3, 322));
      await Promise.all([...appended, ...here]);
    },
  },
  {
    name: "follow ends when another process deletes the conversation",
    async check({ store, startProcess, patience }) {
      const other = await startProcess();
      await store.append(key, remarks(2));
      const follower = followerOf(store, patience);
      await follower.givesNumbers([1, 2]);
      const end = follower.ends();
      await other.delete(key);
      await other.append(key, remarks(5));
      await end;
    },
  },
  {
    name: "a lease holds across processes, also after its holder was killed, and its owner can take it over",
    async check({ store, startProcess }) {
      const other = await startProcess();
      const lease = await other.lease(key, { owner: "agent", ttl: hour });
      const refusal = await assertRejects(store.lease(key, { owner: "two", ttl: hour }), "lease_held", "another owner");
      assertEqual([refusal.owner, refusal.expiresAt], ["agent", lease.expiresAt], "who holds it, and until when");
      await assertRejects(store.append(key, remarks(1)), "lease_held", "an append without the lease");
      assertEqual(await other.append(key, remarks(1), { lease }), 1, "an append with it");
      await other.end();
      await assertRejects(store.lease(key, { owner: "two", ttl: hour }), "lease_held", "another owner, afterwards");
      const next = await store.lease(key, { owner: "agent", ttl: hour });
      assert(next.token > lease.token, `Token ${next.token} must be above ${lease.token}.`);
      assertEqual(await store.append(key, remarks(1), { lease: next }), 2, "an append with the new lease");
      await assertRejects(store.append(key, remarks(1), { lease }), "lease_lost", "an append with the one before");
    },
  },
  {
    name: "one of many processes gets a lease, and no token is granted twice",
    async check({ store, startProcess }) {
      const places = [store, ...(await Promise.all([startProcess(), startProcess(), startProcess()]))];
      const tokens: number[] = [];
      for (let round = 0; round < 10; round++) {
        const contested = { conversation: `contested ${round}` };
        const results = await Promise.allSettled(
          places.map((place, index) => place.lease(contested, { owner: `process ${index}`, ttl: hour })),
        );
        assertEqual(
          results.map((one) => (one.status === "fulfilled" ? "held" : String(one.reason?.code))).toSorted(),
          ["held", "lease_held", "lease_held", "lease_held"],
          `the results of round ${round}`,
        );
        const own = await Promise.all(
          places.map((place, index) => place.lease({ conversation: `own ${index}` }, { owner: "it", ttl: hour })),
        );
        for (const one of results) if (one.status === "fulfilled") tokens.push(one.value.token);
        tokens.push(...own.map(({ token }) => token));
      }
      assertEqual(new Set(tokens).size, tokens.length, "the number of different tokens");
    },
  },
  {
    name: "a killed process leaves whole batches, every acknowledged one, and a working store",
    timeout: 240_000,
    async check({ store, startProcess, patience }) {
      const other = await startProcess();
      const batch = remarks(7);
      const endless = other.appendAll(Array.from({ length: 20_000 }, () => [key, batch]));
      endless.catch(() => {});
      const seen = await eventually(
        async () => {
          const { length } = await store.load(key);
          return length > 70 ? length : undefined;
        },
        patience,
        "The other process did not append",
      );
      await other.end();
      // A server may still be carrying out the last request of the process.
      const next = await store.append(key, batch);
      const again = await startProcess();
      const last = await again.append(key, batch);
      assertEqual(
        [next % 7, next >= seen + 7, last % 7, last > next],
        [0, true, 0, true],
        `whether ${next} and ${last}, the numbers of what was appended then, come after whole batches and after ${seen}`,
      );
      const log = await store.load(key);
      assertEqual(
        log.map(({ seq }) => seq),
        numbers(1, log.length),
        "the numbers",
      );
      const contents = batch.map((event) => "content" in event && event.content);
      assertEqual(
        log.map((event) => "content" in event && event.content),
        Array.from({ length: Math.ceil(log.length / 7) }, () => contents).flat(),
        "what the batches hold",
      );
    },
  },
]);
