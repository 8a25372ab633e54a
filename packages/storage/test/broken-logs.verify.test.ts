import { describe } from "vitest";
import { ConflictError, type Key, memoryStore, type Store } from "../src/index.ts";
import { type Defect, notice } from "./support/notice.ts";

const batches = new Map<string, number>();

const defects: Defect[] = [
  [
    "counts from 0",
    /numbers events from 1/,
    (store) => ({
      load: async (key, options) => (await store.load(key, options)).map((event) => ({ ...event, seq: event.seq - 1 })),
    }),
  ],
  [
    "cuts an event that is too large",
    /of more than 100,000,000 bytes/,
    (store) => ({
      append: (key, events, options) => {
        const fits = events.map((event) =>
          event.type === "user" ? { ...event, content: event.content.slice(0, 1_000) } : event,
        );
        return store.append(key, fits, options);
      },
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
    /the batch ids of conversations apart/,
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
    /at the time of the call/,
    (store) => ({
      append: async (key, events, options) => {
        await Promise.resolve();
        return store.append(key, events, options);
      },
    }),
  ],
  [
    "keeps all users in one",
    /is a separate log|another log a new number/,
    (store) => ({
      append: ({ conversation }, events, options) => store.append({ conversation }, events, options),
      load: ({ conversation }, options) => store.load({ conversation }, options),
    }),
  ],
  [
    "joins user and conversation to one name",
    /is a separate log|another log a new number/,
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
    "accepts a fraction as a count",
    /refuses invalid counts/,
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
    "takes the first of all events before it filters types",
    /load with types \[record\], limit 1 /,
    (store) => ({
      load: async (key, { types, ...options } = {}) =>
        (await store.load(key, options)).filter(({ type }) => types?.includes(type) ?? true),
    }),
  ],
  [
    "ignores `limit`",
    /load with limit 1 /,
    (store) => ({
      load: (key, { limit: _, ...options } = {}) => store.load(key, options),
    }),
  ],
  [
    "returns the objects that it keeps",
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
    /continues after `before`/,
    (store) => ({
      conversations: ({ before: _, ...options } = {}) => store.conversations(options),
    }),
  ],
  [
    "forgets to delete",
    /delete leaves nothing/,
    (store) => ({
      delete: async (key) => (await store.load(key, { last: 1 })).length > 0,
    }),
  ],
  [
    "orders events by their timestamps",
    /whatever the clocks of writers say/,
    (store) => ({
      load: async (key, options) =>
        (await store.load(key, options)).toSorted((one, other) => one.timestamp - other.timestamp),
    }),
  ],
  [
    "lists conversations by the timestamps of events",
    /conversations have the order/,
    (store) => ({
      conversations: async (options) =>
        (await store.conversations(options)).toSorted((one, other) => other.updatedAt - one.updatedAt),
    }),
  ],
  [
    "keeps the lease of a deleted conversation",
    /delete leaves nothing/,
    (store) => ({
      async delete(key) {
        const log = await store.load(key);
        const existed = await store.delete(key);
        if (log.length > 0) await store.lease(key, { owner: "one", ttl: 1_000_000 });
        return existed;
      },
    }),
  ],
  ...(["search", "loadProfile", "saveProfile", "deleteProfile", "lease"] as const).map(
    (method): Defect => [
      `still accepts ${method} after it was closed`,
      /close makes/,
      () => {
        const open = memoryStore();
        return { [method]: open[method] };
      },
    ],
  ),
  ["stays open after close", /close makes/, () => ({ close: async () => {} })],
];

describe("the kit notices a store that", () => notice(defects, () => batches.clear()));
