import { assertEqual, pause } from "@cogency/protocol/testkit";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { key, remarks, said } from "../samples/events.ts";
import { trickyKeys } from "../samples/tricky-names.ts";
import { followerOf, numbers } from "./follower.ts";

/** Which events a follower receives, and when it ends. */
export const followCases: Case[] = [
  {
    name: "follow yields the stored events and then those that are appended, as load returns them",
    async check({ store, patience }) {
      await store.append(key, remarks(3));
      const follower = followerOf(store, patience);
      await follower.gives(await store.load(key));
      for (let batch = 0; batch < 5; batch++) {
        const last = await store.append(key, remarks(batch + 1, `batch ${batch}, remark`));
        await follower.gives(await store.load(key, { after: last - batch - 1 }));
      }
      await follower.leave();
    },
  },
  {
    name: "follow yields only events after the given number, also if the log is still shorter",
    async check({ store, patience }) {
      await store.append(key, remarks(5));
      const near = followerOf(store, patience, { after: 3 });
      const far = followerOf(store, patience, { after: 7 });
      const first = far.next();
      await near.givesNumbers([4, 5]);
      await store.append(key, remarks(2));
      await store.append(key, remarks(2));
      await near.givesNumbers([6, 7, 8, 9]);
      assertEqual((await first)?.seq, 8, "the number of the first event that the log had not reached");
      await far.givesNumbers([9]);
    },
  },
  {
    name: "follow of a conversation that does not exist yet waits for it",
    async check({ store, patience }) {
      const follower = followerOf(store, patience);
      const first = follower.next();
      await store.append({ conversation: "another" }, remarks(3));
      await store.append({ ...key, user: "u" }, remarks(3));
      await store.append(key, [said("at last")]);
      assertEqual(await first, { ...said("at last"), seq: 1 }, "the first event");
      await follower.leave();
      assertEqual((await store.conversations()).length, 2, "the number of conversations");
    },
  },
  {
    name: "follow yields a log of thousands of events whole and in order",
    async check({ store, patience }) {
      for (let batch = 0; batch < 5; batch++) await store.append(key, remarks(500));
      const follower = followerOf(store, patience, { after: 1 });
      await follower.givesNumbers(numbers(2, 2_500));
      await follower.leave();
    },
  },
  {
    name: "follow yields each event once and in order to many followers while many append",
    async check({ store, patience }) {
      const followers = Array.from({ length: 10 }, () => followerOf(store, patience));
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let batch = 0; batch < 10; batch++) await store.append(key, remarks(1 + (writer % 3)));
      });
      const total = 10 * (3 + 6 + 6);
      await Promise.all([...writers, ...followers.map((follower) => follower.givesNumbers(numbers(1, total - 5)))]);
      const length = (await store.load(key)).length;
      for (const follower of followers) await follower.givesNumbers(numbers(total - 4, length));
    },
  },
  {
    name: "follow misses no event, however close an append is to the start of the wait",
    async check({ store, patience }) {
      const follower = followerOf(store, patience);
      for (let turn = 1; turn <= 150; turn++) {
        const awaited = turn % 3 === 0 ? undefined : follower.next();
        for (let tick = turn % 7; tick > 0; tick--) await Promise.resolve();
        if (turn % 10 === 0) await pause(2);
        const appended = store.append(key, remarks(1));
        const event = await (awaited ?? follower.next());
        assertEqual(event?.seq, turn, "the number of the next event");
        await appended;
      }
    },
  },
  {
    name: "follow yields no event of another conversation, whatever their names are",
    async check({ store, patience }) {
      const followers = trickyKeys.map((one) => followerOf(store, patience, {}, one));
      const firsts = followers.map((follower) => follower.next());
      for (const [index, one] of trickyKeys.entries()) await store.append(one, [said(`event of log ${index}`)]);
      for (const [index, first] of firsts.entries()) {
        assertEqual(await first, { ...said(`event of log ${index}`), seq: 1 }, `the first event of log ${index}`);
      }
    },
  },
  {
    name: "follow ends when its signal is aborted: before, while it waits, and with events left",
    async check({ store, patience }) {
      await store.append(key, remarks(3));
      await followerOf(store, patience, { signal: AbortSignal.abort() }).ends();

      const waiting = new AbortController();
      const waiter = followerOf(store, patience, { signal: waiting.signal, after: 3 });
      const end = waiter.ends();
      await pause(30);
      waiting.abort();
      await end;

      const leaving = new AbortController();
      const reader = followerOf(store, patience, { signal: leaving.signal });
      await reader.givesNumbers([1]);
      leaving.abort();
      await reader.ends();
      assertEqual(await store.append(key, remarks(1)), 4, "an append afterwards");
    },
  },
  {
    name: "follow may be left in the middle, and other followers continue",
    async check({ store, patience }) {
      await store.append(key, remarks(3));
      const other = followerOf(store, patience);
      for await (const { seq } of store.follow(key)) if (seq === 2) break;
      await store.append(key, remarks(1));
      await other.givesNumbers([1, 2, 3, 4]);
      const again = followerOf(store, patience, { after: 2 });
      await again.givesNumbers([3, 4]);
      await again.leave();
      await again.ends();
    },
  },
  {
    name: "follow ends when the conversation is deleted",
    async check({ store, patience }) {
      await store.append(key, remarks(2));
      const follower = followerOf(store, patience);
      await follower.givesNumbers([1, 2]);
      const end = follower.ends();
      await pause(30);
      await store.delete(key);
      await end;
    },
  },
  {
    name: "follow of a deleted conversation yields nothing of a new one with the same name",
    async check({ store, patience }) {
      await store.append(key, remarks(2));
      const follower = followerOf(store, patience);
      await follower.givesNumbers([1, 2]);
      const end = follower.ends();
      await store.delete(key);
      await store.append(key, remarks(5, "anew"));
      await end;
      const next = followerOf(store, patience);
      await next.gives(await store.load(key));
    },
  },
  {
    name: "follow continues when another conversation is deleted",
    async check({ store, patience }) {
      const kept = { ...key, user: "u" };
      await store.append(key, remarks(1));
      await store.append(kept, remarks(1));
      const follower = followerOf(store, patience, {}, kept);
      await follower.givesNumbers([1]);
      const next = follower.next();
      await store.delete(key);
      await store.append(kept, remarks(1));
      assertEqual((await next)?.seq, 2, "the number of the next event");
    },
  },
  {
    name: "follow throws `closed` when the store is closed, also while it waits",
    async check({ store, patience }) {
      await store.append(key, remarks(1));
      const follower = followerOf(store, patience);
      await follower.givesNumbers([1]);
      const failure = assertRejects(follower.next(), "closed", "waiting while the store is closed");
      // Handles the rejection at once: in a store that breaks this, an unhandled one would end the process during
      // `close`.
      failure.catch(() => {});
      await pause(30);
      await store.close();
      await failure;
      await assertRejects(followerOf(store, patience).next(), "closed", "following a closed store");
    },
  },
];
