import { describe } from "vitest";
import { type Changes, createChanges, watchConversation } from "../src/adapter.ts";
import type { Store } from "../src/index.ts";
import { type Defect, notice } from "./support/notice.ts";

const all = ["append", "post", "delete"] as const;

const defects: Defect[] = [
  [
    "does not yield to a watcher at once",
    /watch yields at once/,
    (store) => ({
      watch(key, options) {
        const yields = store.watch(key, options)[Symbol.asyncIterator]();
        return { [Symbol.asyncIterator]: () => ({ next: () => yields.next().then(() => yields.next()) }) };
      },
    }),
  ],
  ...all.map(
    (method): Defect => [
      `does not yield to watchers after a call of ${method}`,
      /watch yields at once, and after every/,
      announcing(
        all.filter((one) => one !== method),
        (store, { next }) => ({
          watch: (_, options = {}) =>
            watchConversation({ refuseIfClosed: () => void store.watch, change: next }, options),
        }),
      ),
    ],
  ),
  [
    "begins to wait after the watcher has read",
    /watch misses no change|until each has seen everything/,
    announcing(all, (_, { next }) => ({
      async *watch(_key, { signal } = {}) {
        while (!signal?.aborted) {
          yield;
          await next(signal);
        }
      },
    })),
  ],
  [
    "ignores the signal of a watcher",
    /watch ends when its signal is aborted/,
    (store) => ({ watch: (key) => store.watch(key) }),
  ],
  [
    "goes on with watching after the store was closed",
    /watch throws `closed`/,
    announcing(all, (_, { next }) => ({
      watch: (_key, options = {}) => watchConversation({ refuseIfClosed() {}, change: next }, options),
    })),
  ],
  [
    "wakes only the first watcher",
    /watch yields to many watchers/,
    (store) => {
      let watchers = 0;
      return { watch: (key, options) => (watchers++ === 0 ? store.watch(key, options) : once()) };
    },
  ],
];

describe("the kit notices a store that", () => notice(defects));

/** A store that announces the calls of some methods, and watches with that. */
function announcing(
  methods: readonly (typeof all)[number][],
  watch: (store: Store, changes: Changes) => Partial<Store>,
) {
  return (store: Store): Partial<Store> => {
    const changes = createChanges();
    const announced = Object.fromEntries(
      methods.map((method) => [
        method,
        async (...args: never[]) => {
          const result = await (store[method] as (...args: never[]) => Promise<unknown>)(...args);
          changes.announce();
          return result;
        },
      ]),
    );
    return { ...announced, ...watch(store, changes) };
  };
}

async function* once(): AsyncGenerator<void> {
  yield;
  await new Promise(() => {});
}
