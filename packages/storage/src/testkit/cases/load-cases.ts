import type { LogEvent } from "@cogency/protocol";
import { assertEqual } from "@cogency/protocol/testkit";
import type { LoadOptions, StoredEvent } from "../../store.ts";
import { assertOutOfRange } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { everyKind, hugeCounts, key, noCounts, remarks, said } from "../samples/events.ts";

const options: LoadOptions[] = [
  {},
  { after: undefined, last: undefined, types: undefined },
  { after: 0 },
  { after: 7 },
  { after: 1_000 },
  { after: -3 },
  { after: Number.NEGATIVE_INFINITY },
  { after: Number.POSITIVE_INFINITY },
  { last: 0 },
  { last: 1 },
  { last: 5 },
  { last: 1_000 },
  { last: Number.POSITIVE_INFINITY },
  { after: 12, last: 3 },
  { after: 15, last: 1_000 },
  { types: [] },
  { types: ["user"] },
  { types: ["record", "call"] },
  { types: ["user", "user"] },
  { types: ["cancelled"], last: 1 },
  { types: ["user", "respond"], last: 2 },
  { types: ["record"], after: 13, last: 4 },
  { types: ["user"], after: 4 },
  { limit: undefined, last: 2 },
  { limit: 2, last: undefined },
  { limit: 0 },
  { limit: 1 },
  { limit: 5 },
  { limit: 1_000 },
  { limit: Number.POSITIVE_INFINITY },
  { after: 12, limit: 3 },
  { after: 2.5, limit: 2 },
  { after: -3, limit: 2 },
  { after: 15, limit: 1_000 },
  { after: 1_000, limit: 1 },
  { after: Number.POSITIVE_INFINITY, limit: 1 },
  { types: [], limit: 1 },
  { types: ["record"], limit: 1 },
  { types: ["user", "respond"], limit: 3 },
  { types: ["record"], after: 13, limit: 2 },
];

export const loadCases: Case[] = [
  {
    name: "load of a key that was never written is empty and creates nothing",
    async check({ store }) {
      assertEqual(await store.load(key), [], "the log");
      assertEqual(await store.load(key, { last: 3, after: 1, types: ["user"] }), [], "the log with options");
      assertEqual(await store.conversations(), [], "the conversations");
    },
  },
  ...options.map(
    (option): Case => ({
      name: `load with ${describeOptions(option)} gives the events it asks for, in order`,
      async check({ store }) {
        const events = Object.values(everyKind);
        for (const event of events) await store.append(key, [event]);
        assertEqual(await store.load(key, option), select(events, option), "the events");
      },
    }),
  ),
  {
    name: "load accepts any whole number as `last`, and refuses invalid counts",
    async check({ store }) {
      await store.append(key, remarks(3));
      for (const last of hugeCounts)
        assertEqual((await store.load(key, { last })).length, 3, `the log with last ${last}`);
      for (const last of noCounts) await assertOutOfRange(store.load(key, { last }), `load with last ${last}`);
    },
  },
  {
    name: "load accepts any whole number as `limit`, and refuses invalid counts",
    async check({ store }) {
      await store.append(key, remarks(3));
      for (const limit of hugeCounts)
        assertEqual((await store.load(key, { limit })).length, 3, `the log with limit ${limit}`);
      for (const limit of noCounts) await assertOutOfRange(store.load(key, { limit }), `load with limit ${limit}`);
    },
  },
  {
    name: "load refuses `limit` and `last` together",
    async check({ store }) {
      await store.append(key, remarks(3));
      for (const [limit, last] of [
        [1, 1],
        [0, 0],
        [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      ]) {
        await assertOutOfRange(store.load(key, { limit, last }), `load with limit ${limit} and last ${last}`);
      }
    },
  },
  {
    name: "load reads its own writes, in a log of thousands of events",
    async check({ store }) {
      for (let batch = 0; batch < 50; batch++) {
        await store.append(key, remarks(100, `batch ${batch}, remark`));
        const [last] = await store.load(key, { last: 1 });
        assertEqual(
          last,
          { ...said(`batch ${batch}, remark 100`, 1_700_000_099), seq: (batch + 1) * 100 },
          "the last event",
        );
      }
      const log = await store.load(key, { after: 100 });
      assertEqual(
        log.map(({ seq }) => seq),
        Array.from({ length: 4_900 }, (_, index) => index + 101),
        "the numbers",
      );
    },
  },
];

/** The options of `load` as the contract defines them, over an array. */
function select(
  events: LogEvent[],
  { after = 0, last = Number.POSITIVE_INFINITY, limit, types }: LoadOptions,
): StoredEvent[] {
  const left = events
    .map((event, index): StoredEvent => ({ ...event, seq: index + 1 }))
    .filter(({ seq, type }) => seq > after && (!types || types.includes(type)));
  return left.slice(Math.max(0, left.length - last)).slice(0, limit);
}

function describeOptions(option: LoadOptions): string {
  const set = Object.entries(option).map(([name, value]) => `${name} ${Array.isArray(value) ? `[${value}]` : value}`);
  return set.join(", ") || "no options";
}
