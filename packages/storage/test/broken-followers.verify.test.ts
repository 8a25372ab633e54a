import { describe } from "vitest";
import { followLog } from "../src/adapter.ts";
import type { Key, Store, StoredEvent } from "../src/index.ts";
import { type Defect, notice } from "./support/notice.ts";

const defects: Defect[] = [
  [
    "ends after the stored events",
    /and then those that are appended/,
    (store) => ({
      async *follow(key, options) {
        yield* await store.load(key, options);
      },
    }),
  ],
  [
    "yields only new events",
    /yields the stored events/,
    (store) => ({
      async *follow(key, options) {
        const { length } = await store.load(key);
        yield* store.follow(key, { ...options, after: length });
      },
    }),
  ],
  [
    "ignores `after`",
    /only events after the given number/,
    (store) => ({ follow: (key, { signal } = {}) => store.follow(key, { signal }) }),
  ],
  [
    "ignores `after` beyond the end of the log",
    /log is still shorter/,
    (store) => ({
      async *follow(key, options = {}) {
        const { length } = await store.load(key);
        yield* store.follow(key, { ...options, after: Math.min(options.after ?? 0, length) });
      },
    }),
  ],
  [
    "ignores the signal",
    /when its signal is aborted/,
    (store) => ({ follow: (key, { after } = {}) => store.follow(key, { after }) }),
  ],
  [
    "fails when the signal is aborted",
    /when its signal is aborted/,
    (store) => ({
      async *follow(key, options = {}) {
        yield* store.follow(key, options);
        options.signal?.throwIfAborted();
      },
    }),
  ],
  [
    "yields an event again with the next one",
    /follow yields each event/,
    following((load) => {
      let count = 0;
      return async (after) => load(count++ % 2 === 1 ? Math.max(0, after - 1) : after);
    }),
  ],
  [
    "yields only the latest event",
    /follow yields each event/,
    following((load) => async (after) => (await load(after)).slice(-1)),
  ],
  [
    "yields events in the wrong order",
    /log of thousands/,
    following((load) => async (after) => (await load(after)).reverse()),
  ],
  [
    "starts its wait after it has read",
    /misses no event/,
    (store) => {
      let wake = () => {};
      return {
        async append(...args) {
          const last = await store.append(...args);
          wake();
          return last;
        },
        async *follow(key, { after = 0 } = {}) {
          for (let seen = after; ; ) {
            for (const event of await store.load(key, { after: seen })) {
              yield event;
              seen = event.seq;
            }
            await new Promise((resolve) => setImmediate(resolve));
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        },
      };
    },
  ],
  [
    "wakes only one of many followers",
    /many followers/,
    (store) => {
      const following = new Set<string>();
      return {
        async *follow(key, options) {
          if (following.has(key.conversation)) await new Promise(() => {});
          following.add(key.conversation);
          yield* store.follow(key, options);
        },
      };
    },
  ],
  [
    "yields events of every user's conversation of that name",
    /yields no event of another/,
    (store) => {
      const first = new Map<string, Key>();
      return {
        follow(key, options) {
          const followed = first.get(key.conversation) ?? key;
          first.set(key.conversation, followed);
          return store.follow(followed, options);
        },
      };
    },
  ],
  [
    "fails for a conversation that does not exist",
    /waits for it/,
    (store) => ({
      async *follow(key, options) {
        if ((await store.load(key)).length > 0) yield* store.follow(key, options);
      },
    }),
  ],
  ["continues after the conversation was deleted", /ends when the conversation is deleted/, following((load) => load)],
  ["gives what is new under the name of what was deleted", /nothing of a new one/, following((load) => load)],
  [
    "ends every follower when anything is deleted",
    /continues when another conversation is deleted/,
    (store) => {
      const deleting = new AbortController();
      return {
        async delete(key) {
          deleting.abort();
          return store.delete(key);
        },
        follow: (key, options) => store.follow(key, { ...options, signal: deleting.signal }),
      };
    },
  ],
  [
    "ends without an error when it is closed",
    /throws `closed` when/,
    (store) => ({
      async *follow(key, options) {
        try {
          yield* store.follow(key, options);
        } catch {}
      },
    }),
  ],
];

describe("the kit notices a store that", () => notice(defects));

/** A store whose `follow` polls by another `load`, and does not end at a deletion. */
function following(change: (load: (after: number) => Promise<StoredEvent[]>) => typeof load) {
  return (store: Store): Partial<Store> => ({
    follow(key, options = {}) {
      const load = change((after) => store.load(key, { after }));
      const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
      return followLog({ read: load, change: soon }, options);
    },
  });
}
