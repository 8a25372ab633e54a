import type { LogEvent } from "@cogency/protocol";
import { assert, assertEqual } from "@cogency/protocol/testkit";
import type { Key } from "../../key.ts";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import type { OtherProcess } from "../process/other-process.ts";
import { key, remarks, said } from "../samples/events.ts";
import { day, hour } from "../samples/times.ts";
import { followerOf } from "./follower.ts";

/** Timestamps of writers with wrong clocks: not in order, equal, before 1970, and too large for a date. */
const skewed = [1_700_000_000, 1_600_000_000, 1_700_000_000, 0, -5e9, 4e12, 1e308, 0.5, 1_700_000_000.000001];

/** No order and no lease depends on the clocks of writers. */
export const clockCases: Case[] = [
  {
    name: "events have the order of the appends, whatever the clocks of writers say",
    async check({ store, patience }) {
      const events: LogEvent[] = skewed.map((timestamp, index) => said(`walnut ${index}`, timestamp));
      for (const event of events.slice(0, 5)) await store.append(key, [event]);
      await store.append(key, events.slice(5));
      const stored = events.map((event, index) => ({ ...event, seq: index + 1 }));
      assertEqual(await store.load(key), stored, "the log");
      assertEqual(await store.load(key, { after: 2, last: 4 }), stored.slice(-4), "the last four");
      const follower = followerOf(store, patience);
      await follower.gives(stored);
      const matches = await store.search("walnut", { user: undefined });
      assertEqual(
        matches.map(({ seq, timestamp }) => [seq, timestamp]),
        stored.map(({ seq, timestamp }) => [seq, timestamp]).toReversed(),
        "the matches, the latest first",
      );
    },
  },
  {
    name: "conversations have the order of the appends, whatever the clocks of writers say",
    async check({ store }) {
      for (const [index, timestamp] of skewed.entries()) {
        await store.append({ conversation: `c${index}` }, [said("x", timestamp)]);
      }
      assertEqual(
        (await store.conversations()).map(({ conversation, updatedAt }) => [conversation, updatedAt]),
        skewed.map((timestamp, index) => [`c${index}`, timestamp]).toReversed(),
        "the list",
      );
    },
  },
  ...[day, -day].map(
    (clockAhead): Case => ({
      name: `of two leases at most the later can append, with a process whose clock is a day ${clockAhead > 0 ? "fast" : "slow"}`,
      needs: ["elsewhere"],
      async check({ store, startProcess }) {
        const other = await startProcess({ clockAhead });
        for (const ttl of [hour, 20]) {
          await race(store, other, { conversation: `here first, ${ttl}` }, ttl);
          await race(other, store, { conversation: `there first, ${ttl}` }, ttl);
        }
      },
    }),
  ),
];

/** A store in this process or in another one. */
type Side = Pick<OtherProcess, "append" | "lease">;

/**
 * Both sides ask for a lease of the key. If the store grants the second one, the first can never append again, not even
 * after the second has expired by another clock.
 */
async function race(first: Side, second: Side, key: Key, ttl: number): Promise<void> {
  const lease = await first.lease(key, { owner: "first", ttl });
  const later = await second.lease(key, { owner: "second", ttl: hour }).catch(async (error: unknown) => {
    await assertRejects(Promise.reject(error), "lease_held", "the second owner");
    return undefined;
  });
  if (!later) return;
  assert(later.token > lease.token, `Token ${later.token} must be above ${lease.token}.`);
  for (let round = 0; round < 3; round++) {
    await assertRejects(first.append(key, remarks(1), { lease }), "lease_lost", "an append of the first owner");
    const appended = second.append(key, remarks(1), { lease: later });
    await appended.catch((error: unknown) => assertRejects(Promise.reject(error), "lease_lost", "the second owner's"));
  }
}
