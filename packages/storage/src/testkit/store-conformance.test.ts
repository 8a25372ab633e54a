import { describe, expect, it } from "vitest";
import { ConflictError } from "../errors.ts";
import { memoryStore } from "../memory-store.ts";
import type { Key, Store } from "../store.ts";
import { storeConformance } from "./store-conformance.ts";

const batches = new Map<string, number>();

/** Ways to break the contract, and a case that has to notice. */
const defects: [defect: string, noticedBy: RegExp, spoil: (store: Store) => Partial<Store>][] = [
  [
    "counts from 0",
    /numbers events from 1/,
    (store) => ({
      load: async (key, options) => (await store.load(key, options)).map((event) => ({ ...event, seq: event.seq - 1 })),
    }),
  ],
  [
    "returns the size of the batch",
    /returns the last number/,
    (store) => ({
      append: async (key, events, options) => (await store.append(key, events, options)) && events.length,
    }),
  ],
  [
    "stores the events of a batch one by one",
    /nothing of a batch/,
    (store) => ({
      append: async (key, events, options) => {
        let last = await store.append(key, [], options);
        for (const event of events) last = await store.append(key, [event]);
        return last;
      },
    }),
  ],
  [
    "ignores `expected`",
    /with `expected`/,
    (store) => ({
      append: (key, events, { batch } = {}) => store.append(key, events, { batch }),
    }),
  ],
  [
    "checks `expected` some time before it writes",
    /lets one/,
    (store) => ({
      append: async (key, events, { expected, batch } = {}) => {
        if (batch === undefined && expected !== undefined) {
          const actual = (await store.load(key)).length;
          if (actual !== expected) throw new ConflictError(expected, actual);
        }
        return store.append(key, events, batch === undefined ? {} : { expected, batch });
      },
    }),
  ],
  [
    "ignores batch ids",
    /batch id that was stored/,
    (store) => ({
      append: (key, events, { expected } = {}) => store.append(key, events, { expected }),
    }),
  ],
  [
    "knows a batch id in every conversation",
    /its own conversation only/,
    (store) => ({
      append: async (key, events, { batch, ...options } = {}) => {
        const last = batches.get(batch ?? "") ?? (await store.append(key, events, options));
        if (batch !== undefined) batches.set(batch, last);
        return last;
      },
    }),
  ],
  [
    "reads the events of a batch late",
    /when it is called/,
    (store) => ({
      append: async (key, events, options) => {
        await Promise.resolve();
        return store.append(key, events, options);
      },
    }),
  ],
  [
    "keeps all users in one",
    /of its own/,
    (store) => ({
      append: ({ conversation }, events, options) => store.append({ conversation }, events, options),
      load: ({ conversation }, options) => store.load({ conversation }, options),
    }),
  ],
  [
    "makes one name of user and conversation",
    /of its own/,
    (store) => {
      const joined = ({ user = "", conversation }: Key) => ({ conversation: `${user}/${conversation}` });
      return {
        append: (key, events, options) => store.append(joined(key), events, options),
        load: (key, options) => store.load(joined(key), options),
      };
    },
  ],
  [
    "lists every user's conversations",
    /user's list/,
    (store) => ({
      conversations: ({ user: _, ...options } = {}) => store.conversations(options),
    }),
  ],
  [
    "ignores `after`",
    /load with after 7/,
    (store) => ({
      load: (key, { after: _, ...options } = {}) => store.load(key, options),
    }),
  ],
  [
    "takes a fraction for a count",
    /refuses what is no count/,
    (store) => ({
      load: (key, { last = 9, ...options } = {}) => store.load(key, { ...options, last: Math.ceil(last) }),
      conversations: ({ limit = 9, ...options } = {}) => store.conversations({ ...options, limit: Math.ceil(limit) }),
    }),
  ],
  [
    "takes the last of all events before it filters types",
    /load with types \[user,respond\], last 2/,
    (store) => ({
      load: async (key, { types, ...options } = {}) =>
        (await store.load(key, options)).filter(({ type }) => types?.includes(type) ?? true),
    }),
  ],
  [
    "gives out what it keeps",
    /cannot be changed/,
    (store) => {
      const kept = new Map<string, ReturnType<Store["load"]>>();
      return {
        load: (key) => {
          const log = kept.get(key.conversation) ?? store.load(key);
          kept.set(key.conversation, log);
          return log;
        },
      };
    },
  ],
  [
    "lists in the order of time",
    /whatever the events' timestamps say/,
    (store) => ({
      conversations: async (options) => (await store.conversations(options)).sort((a, b) => b.updatedAt - a.updatedAt),
    }),
  ],
  [
    "ignores `before`",
    /goes on after `before`/,
    (store) => ({
      conversations: ({ before: _, ...options } = {}) => store.conversations(options),
    }),
  ],
  [
    "forgets to delete",
    /delete removes/,
    (store) => ({
      delete: async (key) => (await store.load(key, { last: 1 })).length > 0,
    }),
  ],
  ["stays open", /close makes/, () => ({ close: async () => {} })],
];

describe("storeConformance", () => {
  it.each(defects)("notices a store that %s", async (_, noticedBy, spoil) => {
    const cases = storeConformance(async () => {
      const store = memoryStore();
      return { store: { ...store, ...spoil(store) }, dispose: async () => batches.clear() };
    });
    const failed: string[] = [];
    // "ignores `before`" makes paging endless: cases that are not asked for are left out.
    for (const { name, run } of cases.filter(({ name }) => noticedBy.test(name))) {
      await run().catch(() => failed.push(name));
    }
    expect(failed).not.toEqual([]);
  });

  it("gives every case a name of its own", () => {
    const names = storeConformance(async () => ({ store: memoryStore() })).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it("closes and disposes of a store whose case failed", async () => {
    const events: string[] = [];
    const [first] = storeConformance(async () => ({
      store: { ...memoryStore(), append: async () => -1, close: async () => void events.push("close") },
      dispose: async () => void events.push("dispose"),
    }));
    await expect(first?.run()).rejects.toThrow("the first append: expected 1, got -1.");
    expect(events).toEqual(["close", "dispose"]);
  });
});
