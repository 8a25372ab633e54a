import { AsyncLocalStorage } from "node:async_hooks";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ModelAnswer } from "./model-answer.ts";

const never = new Promise<never>(() => {});

/** Lets everything go on that waits for nothing but promises. */
async function promises() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

type Ask = (signal: AbortSignal) => AsyncIterable<string>;

/** An answer, what its events and its end were, and the listeners that it has on the signal of the run. */
function answered(ask: Ask, controller = new AbortController(), check = (_: string): void => {}) {
  const heard: unknown[] = [];
  const { signal } = controller;
  ofTest.enterWith(true);
  let listening = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listening++;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listening--;
    remove(...given);
  };
  const answer = new ModelAnswer<string>(ask, signal, check);
  const pull = async () => {
    const { done, value } = await answer.next();
    heard.push(done ? (answer.failure?.cause ?? "end") : value);
  };
  return { answer, pull, heard, controller, listening: () => (signal.aborted ? 0 : listening) };
}

/** An iterable with an iterator written by hand. */
function byHand(iterator: { next(): unknown; return?(): unknown }): AsyncIterable<string> {
  return { [Symbol.asyncIterator]: () => iterator as AsyncIterator<string> };
}

const error = new Error("The connection broke off.");

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

/** Whether code runs for the test: an earlier file of this worker may have left answers behind, which set timers of their own. */
const ofTest = new AsyncLocalStorage<boolean>();

/** The timers that answers of the test have set. */
const timers = new Set<unknown>();

function watchTimers(): void {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  globalThis.setTimeout = ((work: () => void, milliseconds?: number) => {
    const isOfTest = ofTest.getStore() ?? false;
    const timer = set(() => {
      timers.delete(timer);
      ofTest.run(isOfTest, work);
    }, milliseconds);
    if (isOfTest && new Error().stack?.includes("model-answer")) timers.add(timer);
    return timer;
  }) as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    timers.delete(timer);
    clear(timer);
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  timers.clear();
  watchTimers();
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});

afterEach(async () => {
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  const left = timers.size;
  // Before anything may fail: the next file of this worker needs them.
  vi.useRealTimers();
  expect(left).toBe(0);
  expect(unhandled).toEqual([]);
});

describe("an answer", () => {
  it("makes its request at once, and asks for an event only when it is pulled", async () => {
    let asked = 0;
    const { answer, pull, heard, listening } = answered(async function* () {
      for (;;) yield `${++asked}`;
    });
    await promises();
    expect(asked).toBe(0);
    void pull();
    await promises();
    expect([asked, heard]).toEqual([1, ["1"]]);
    await answer.close();
    expect(listening()).toBe(0);
  });

  it("ends when the provider ends it", async () => {
    const { answer, pull, heard, listening } = answered(async function* () {});
    void pull();
    await promises();
    expect(heard).toEqual(["end"]);
    await answer.close();
    expect(listening()).toBe(0);
  });

  it.each<[string, Ask]>([
    [
      "throws in its first event",
      // biome-ignore lint/correctness/useYield: it throws before its first event
      async function* () {
        throw error;
      },
    ],
    [
      "throws synchronously",
      () => {
        throw error;
      },
    ],
    [
      "throws where it is iterated",
      () => ({
        [Symbol.asyncIterator]() {
          throw error;
        },
      }),
    ],
    [
      "has a `next` that throws synchronously",
      () =>
        byHand({
          next() {
            throw error;
          },
        }),
    ],
  ])("fails once if the provider %s", async (_, ask) => {
    const { answer, pull, heard, listening } = answered(ask);
    void pull();
    await promises();
    expect(heard).toEqual([error]);
    await answer.close();
    expect(listening()).toBe(0);
  });

  it.each<[string, Ask]>([
    ["gives nothing to iterate", () => undefined as unknown as AsyncIterable<string>],
    ["gives something that cannot be iterated", () => ({}) as AsyncIterable<string>],
  ])("fails with a TypeError if the provider %s", async (_, ask) => {
    const { answer, pull, heard } = answered(ask);
    void pull();
    await promises();
    expect(heard).toEqual([expect.any(TypeError)]);
    await answer.close();
  });

  it("takes events of an iterator that gives no promises", async () => {
    const results = [{ done: false, value: "a" }, { done: true }];
    const { answer, pull, heard } = answered(() => byHand({ next: () => results.shift() }));
    void pull();
    await promises();
    void pull();
    await promises();
    expect(heard).toEqual(["a", "end"]);
    await answer.close();
  });

  it("fails with a TypeError if the provider's `next` gives no object", async () => {
    const { answer, pull, heard } = answered(() => byHand({ next: () => undefined }));
    void pull();
    await promises();
    const thrown = await new Promise((resolve) => setImmediate(() => resolve(unhandled.splice(0))));
    await answer.close();
    expect(thrown).toEqual([]);
    expect(heard).toEqual([expect.any(TypeError)]);
  });

  it("fails at an event that is none, and still ends the provider's iterator when it is closed", async () => {
    let isEnded = false;
    const ask: Ask = async function* () {
      try {
        yield "a";
      } finally {
        isEnded = true;
      }
    };
    const { answer, pull, heard } = answered(ask, new AbortController(), () => {
      throw error;
    });
    void pull();
    await promises();
    expect([heard, isEnded]).toEqual([[error], false]);
    await answer.close();
    expect(isEnded).toBe(true);
  });

  it("is cut by the loop: at once, or when the grace is over", async () => {
    for (const grace of [0, 40]) {
      const signals: AbortSignal[] = [];
      const { answer, pull } = answered((signal) => {
        signals.push(signal);
        return byHand({ next: () => never });
      });
      void pull();
      answer.cut(grace);
      answer.cut(grace);
      if (grace > 0) {
        await vi.advanceTimersByTimeAsync(grace - 1);
        expect([answer.wasCut, signals[0]?.aborted]).toEqual([false, false]);
        await vi.advanceTimersByTimeAsync(1);
      }
      expect([answer.wasCut, signals[0]?.aborted]).toEqual([true, true]);
      await vi.advanceTimersByTimeAsync(100);
      await answer.close();
    }
  });

  it("is cut at once although a grace is running: the model writes on", async () => {
    const { answer } = answered(() => byHand({ next: () => never }));
    answer.cut(1000);
    answer.cut(0);
    expect(answer.wasCut).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    await answer.close();
  });

  it("was not cut if the run aborted first", async () => {
    const { answer, controller } = answered(() => byHand({ next: () => never }));
    controller.abort();
    answer.cut(0);
    expect(answer.wasCut).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    await answer.close();
  });

  it("passes the reason of the run's signal to the provider, also if it had aborted before", async () => {
    for (const isEarly of [true, false]) {
      const controller = new AbortController();
      if (isEarly) controller.abort("why");
      const signals: AbortSignal[] = [];
      const { answer } = answered((signal) => {
        signals.push(signal);
        return byHand({ next: () => never });
      }, controller);
      if (!isEarly) controller.abort("why");
      expect(signals[0]?.reason).toBe("why");
      await vi.advanceTimersByTimeAsync(100);
      await answer.close();
    }
  });
});

describe("an answer that was aborted", () => {
  it("ends after 100 ms if the provider hangs and ignores its signal; later events are ignored", async () => {
    const late = Promise.withResolvers<IteratorResult<string>>();
    const { answer, pull, heard, controller } = answered(() => byHand({ next: () => late.promise }));
    void pull();
    controller.abort();
    await vi.advanceTimersByTimeAsync(99);
    expect(heard).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(heard).toEqual(["end"]);
    late.resolve({ done: false, value: "late" });
    await promises();
    void pull();
    await promises();
    expect(heard).toEqual(["end", "end"]);
    await answer.close();
  });

  it("ignores an error that comes after it was abandoned", async () => {
    const late = Promise.withResolvers<IteratorResult<string>>();
    const { answer, pull, heard, controller } = answered(() => byHand({ next: () => late.promise }));
    void pull();
    controller.abort();
    await vi.advanceTimersByTimeAsync(100);
    late.reject(error);
    await promises();
    expect(heard).toEqual(["end"]);
    await answer.close();
  });

  it("still takes what comes in the next 100 ms: events, and an error", async () => {
    const { answer, pull, heard, controller } = answered(async function* (signal) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield "usage";
      throw error;
    });
    void pull();
    controller.abort();
    await promises();
    void pull();
    await promises();
    expect(heard).toEqual(["usage", error]);
    await answer.close();
  });
});

describe("closing an answer", () => {
  it("while a pull is open aborts the request, and hears nothing more", async () => {
    const { answer, pull, heard, listening } = answered(async function* (signal) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield "late";
    });
    void pull();
    await promises();
    await answer.close();
    await promises();
    expect(heard).toEqual([]);
    expect(listening()).toBe(0);
  });

  it("waits until the provider has cleaned up, 100 ms at the most", async () => {
    for (const takes of [30, 1000]) {
      let isClosed = false;
      const { answer, pull } = answered(() =>
        byHand({
          next: () => never,
          return: () => new Promise((resolve) => setTimeout(() => resolve({ done: true }), takes)),
        }),
      );
      void pull();
      const closing = answer.close().then(() => {
        isClosed = true;
      });
      await vi.advanceTimersByTimeAsync(Math.min(takes, 100) - 1);
      expect(isClosed).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(isClosed).toBe(true);
      await closing;
      await vi.advanceTimersByTimeAsync(1000);
    }
  });

  it.each<[string, (() => unknown) | undefined]>([
    ["is missing", undefined],
    [
      "throws",
      () => {
        throw error;
      },
    ],
    ["rejects", () => Promise.reject(error)],
    ["gives no promise", () => ({ done: true })],
  ])("never rejects: `return` of the provider %s", async (_, end) => {
    const { answer, pull } = answered(() => byHand({ next: () => never, ...(end && { return: end }) }));
    void pull();
    await answer.close();
  });

  it("clears the timer of the grace", async () => {
    const { answer } = answered(async function* () {
      yield "a";
    });
    answer.cut(200);
    await answer.close();
    expect(answer.wasCut).toBe(false);
  });

  it("clears the timer and the listener after any order of events", async () => {
    const actions = fc.array(
      fc.oneof(
        fc.constantFrom("pull", "abort", "cut", "cut soon", "run aborts", "give", "fail", "finish"),
        fc.integer({ min: 1, max: 120 }),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(actions, async (actions) => {
        let open: PromiseWithResolvers<IteratorResult<string>> | undefined;
        const next = () => {
          open = Promise.withResolvers();
          return open.promise;
        };
        const { answer, pull, heard, controller, listening } = answered(() => byHand({ next }));
        let pulls = 0;
        for (const action of actions) {
          // As the loop does: one pull at a time, and none after the end.
          if (action === "pull" && pulls === heard.length && !heard.some((event) => event !== "a")) {
            pulls++;
            void pull();
          } else if (action === "abort") answer.abort();
          else if (action === "cut") answer.cut(0);
          else if (action === "cut soon") answer.cut(20);
          else if (action === "run aborts") controller.abort();
          else if (action === "give") open?.resolve({ done: false, value: "a" });
          else if (action === "fail") open?.reject(error);
          else if (action === "finish") open?.resolve({ done: true, value: undefined });
          else if (typeof action === "number") await vi.advanceTimersByTimeAsync(action);
          await promises();
          expect(heard.length).toBeLessThanOrEqual(pulls);
        }
        const before = heard.length;
        const closing = answer.close();
        await vi.advanceTimersByTimeAsync(100);
        await closing;
        open?.resolve({ done: false, value: "a" });
        await promises();
        expect(heard).toHaveLength(before);
        expect(listening()).toBe(0);
        expect(timers.size).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
