import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import type { Dispatcher } from "../src/index.ts";
import { dispatcherConformance, withoutProcesses, withoutRestart } from "../src/testkit/index.ts";
import { Queue } from "./support/queue.ts";

const declared = { ...withoutProcesses, ...withoutRestart };
const never = new Promise<never>(() => {});

/** A way to break the contract, the cases of which at least one must notice it, and what is wrong with the dispatcher. */
type Defect = [defect: string, noticedBy: RegExp, spoil: (sound: Dispatcher, queue: Queue, store: Store) => Dispatcher];

const defects: Defect[] = [
  [
    "swallows every second wake",
    /a wake calls a handler/,
    (sound) => {
      let wakes = 0;
      return { ...sound, wake: async (...args) => (++wakes % 2 === 1 ? undefined : sound.wake(...args)) };
    },
  ],
  [
    "blocks the sender until somebody works",
    /wake resolves while nobody works/,
    (sound, queue) => ({
      ...sound,
      async wake(...args) {
        while (queue.hands.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        await sound.wake(...args);
      },
    }),
  ],
  ["hears only the wakes of its own process", /from another one/, () => new Queue().dispatcher()],
  [
    "delivers once nothing is due any more",
    /a wake calls a handler/,
    (sound, _, store) => ({
      ...sound,
      work: (handler) =>
        sound.work(async () => {
          while ((await store.nextWake()) !== undefined) await new Promise((resolve) => setTimeout(resolve, 5));
          await handler();
        }),
    }),
  ],
  [
    "delivers what is for later at once",
    /a wake for later/,
    (sound) => ({ ...sound, wake: (key, { reason }) => sound.wake(key, { reason }) }),
  ],
  [
    "keeps one wake of a conversation, whatever its time",
    /for now and for later/,
    (sound, queue) => {
      queue.isKnown = ({ conversation }) => queue.waiting.some((wake) => wake.conversation === conversation);
      return sound;
    },
  ],
  [
    "drops a wake while a handler runs for the same conversation",
    /comes while the handler runs/,
    (sound, queue) => {
      const running = new Set<string>();
      queue.isKnown = ({ conversation }) => running.has(conversation);
      queue.call = async ({ handler }, { conversation }) => {
        running.add(conversation);
        await handler().catch(() => {});
        running.delete(conversation);
      };
      return sound;
    },
  ],
  [
    "calls a handler twice at one time",
    /called once at a time/,
    (sound, queue) => {
      queue.handFor = () => [...queue.hands][0];
      return sound;
    },
  ],
  [
    "keeps wakes for a worker that is busy",
    /wakes go to other workers|leaves wakes to others/,
    (sound, queue) => {
      queue.handFor = () => [...queue.hands].slice(0, 1).find(({ isBusy }) => !isBusy);
      return sound;
    },
  ],
  [
    "takes a handler that takes long for lost, and calls it again",
    /called once at a time/,
    (sound) => ({
      ...sound,
      work: (handler) =>
        sound.work(async () => {
          const first = handler();
          const isLate = await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 5, true))]);
          await Promise.all([first, isLate && handler()]);
        }),
    }),
  ],
  [
    "ends with the first handler that fails",
    /a handler that fails/,
    (sound, queue) => {
      queue.call = async (hand) => {
        await hand.handler().catch(() => queue.hands.delete(hand));
      };
      return sound;
    },
  ],
  [
    "holds a conversation back after a failure",
    /a handler that fails/,
    (sound, queue) => {
      const failed = new Set<string>();
      queue.isKnown = ({ conversation }) => failed.has(conversation);
      queue.call = async ({ handler }, { conversation }) => {
        await handler().catch(() => failed.add(conversation));
      };
      return sound;
    },
  ],
  [
    "never stops",
    /^stop waits/,
    (sound) => ({
      ...sound,
      async work(handler) {
        await sound.work(handler);
        return async () => {};
      },
    }),
  ],
  [
    "stops without waiting for the handler",
    /^stop waits/,
    (sound) => ({
      ...sound,
      async work(handler) {
        const stop = await sound.work(handler);
        return async () => void stop();
      },
    }),
  ],
  [
    "hangs when it is to stop",
    /^stop resolves soon/,
    (sound) => ({
      ...sound,
      async work(handler) {
        await sound.work(handler);
        return () => never;
      },
    }),
  ],
  [
    "stops for good",
    /work may begin again/,
    (sound) => {
      let hasStopped = false;
      return {
        ...sound,
        async work(handler) {
          const stop = await sound.work(async () => (hasStopped ? undefined : handler()));
          return async () => {
            hasStopped = true;
            await stop();
          };
        },
      };
    },
  ],
  [
    "knows nothing of what workers put off or hand over",
    /put off|hands over/,
    (sound) => ({
      ...sound,
      wake: async (key, options) => (options.reason === "deferred" ? undefined : sound.wake(key, options)),
    }),
  ],
];

describe("the kit", () => {
  const failuresOf = async (noticedBy: RegExp, spoil: Defect[2], patience?: number) => {
    const make = async () => {
      const store = memoryStore();
      const queue = new Queue();
      const open = async () => ({ store, dispatcher: spoil(queue.dispatcher(), queue, store), close: async () => {} });
      return { open, ...(patience !== undefined && { patience }) };
    };
    const cases = dispatcherConformance("queue", make, declared).filter(({ name }) => noticedBy.test(name));
    const results = await Promise.allSettled(cases.map(({ run }) => run()));
    return results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
  };

  it.concurrent("passes the queue that the others spoil", async () => {
    expect(await failuresOf(/./, (sound) => sound)).toEqual([]);
  });

  it.concurrent.each(defects)("notices a dispatcher that %s", async (_, noticedBy, spoil) => {
    expect(await failuresOf(noticedBy, spoil, 400)).not.toEqual([]);
  });

  it.each(["elsewhere", "restart"])("fails a dispatcher without `%s` unless it declares the cases", async (need) => {
    const store = memoryStore();
    const make = async () => ({
      open: async () => ({ store, dispatcher: new Queue().dispatcher(), close: async () => {} }),
    });
    const needing = dispatcherConformance("mine", make).filter(({ needs }) => needs.includes(need as "restart"));
    expect(needing.length).toBeGreaterThan(1);
    for (const { run } of needing) {
      const problem = `mine: \`make\` returned no \`${need}\` for the dispatcher. If that is so, declare the case.`;
      await expect(run()).rejects.toThrow(problem);
    }
  });
});
