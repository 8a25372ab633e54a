import { describe } from "vitest";
import { createChanges, type DueSource, type WatchWakesOptions, watchDue } from "../src/adapter.ts";
import type { Store } from "../src/index.ts";
import { type Defect, notice } from "./support/notice.ts";

const defects: Defect[] = [
  [
    "does not tell a worker what is due already",
    /watchWakes yields at once/,
    watching((source) => {
      let isFirst = true;
      return {
        async look() {
          const found = await source.look();
          const isDue = found.isDue && !isFirst;
          isFirst = false;
          return { ...found, isDue };
        },
      };
    }),
  ],
  ["wakes nobody for a post", /watchWakes yields when a message is posted/, watching(() => ({ change: never }))],
  [
    "has no timer",
    /watchWakes yields when (the time of a (message|timer)|a claim is deferred)/,
    watching(({ look }) => ({ look: async () => ({ ...(await look()), next: undefined }) })),
  ],
  [
    "sets its timer once",
    /watchWakes yields when a timer is moved/,
    watching(({ look }) => {
      let next: number | undefined;
      return {
        async look() {
          const found = await look();
          next ??= found.next;
          return { ...found, next };
        },
        change: never,
      };
    }),
  ],
  [
    "begins to wait after it has looked",
    /watchWakes misses nothing/,
    watching(({ look, change }) => {
      let isLooking = false;
      return {
        async look() {
          isLooking = true;
          const found = await look();
          await new Promise((resolve) => setTimeout(resolve, 1));
          isLooking = false;
          return found;
        },
        async change(signal) {
          do await change(signal);
          while (isLooking && !signal?.aborted);
        },
      };
    }),
  ],
  [
    "yields all the time",
    /watchWakes does not yield before something is due/,
    watching(({ look }) => ({ look: async () => ({ ...(await look()), isDue: true, next: 5 }) })),
  ],
  [
    "sets timers that are too long for the machine",
    /watchWakes does not yield before something is due/,
    watching(({ look }) => ({
      async look() {
        const { isDue, next = 0 } = await look();
        return { isDue: isDue || next > 2 ** 31, next: Math.min(next, 1) };
      },
    })),
  ],
  [
    "wakes the workers of other scopes",
    /watchWakes yields for its scope only/,
    (store) => ({ watchWakes: ({ signal } = {}) => store.watchWakes({ signal, scope: "a" }) }),
  ],
  [
    "ignores the signal of a worker",
    /watchWakes ends when its signal is aborted/,
    (store) => ({ watchWakes: ({ scope } = {}) => store.watchWakes({ scope }) }),
  ],
  [
    "goes on after the store was closed",
    /watchWakes throws `closed`/,
    watching(({ look }) => ({
      look: async () => (await Promise.resolve(look()).catch(() => undefined)) ?? { isDue: false, next: undefined },
    })),
  ],
];

describe("the kit notices a store that", () => notice(defects));

/** A store that watches what is due with another source. */
function watching(change: (source: DueSource) => Partial<DueSource>) {
  return (store: Store): Partial<Store> => {
    const changes = createChanges();
    const announced = Object.fromEntries(
      (["post", "wake", "claim", "done", "defer", "unpark", "close"] as const).map((method) => [
        method,
        async (...args: never[]) => {
          const result = await (store[method] as (...args: never[]) => Promise<unknown>)(...args);
          changes.announce();
          return result;
        },
      ]),
    );
    return {
      ...announced,
      watchWakes({ scope, signal }: WatchWakesOptions = {}) {
        const source: DueSource = {
          async look() {
            const at = await store.nextWake({ scope });
            const next = at === undefined ? undefined : at - Date.now();
            return { isDue: next !== undefined && next <= 0, next: next === undefined || next <= 0 ? undefined : next };
          },
          change: changes.next,
        };
        return watchDue({ ...source, ...change(source) }, { signal });
      },
    };
  };
}

function never(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
}
