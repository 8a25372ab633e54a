import { type Provider, scripted } from "@cogency/provider";
import { type Lease, memoryStore, type Store } from "@cogency/storage";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import type { RunResult } from "../src/run.ts";
import { block, conversation, echo } from "./support/fixtures.ts";

const never = () => new Promise<never>(() => {});

/** Milliseconds in which an aborted run is over, also if its provider, store or lease hangs. */
const limit = 500;

/** Rejections that nothing has handled, and the timers that wait. */
const unhandled: unknown[] = [];
const timers = new Set<NodeJS.Timeout>();
const lively = () => [...timers].filter((timer) => timer.hasRef()).length;
const note = (reason: unknown) => unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  timers.clear();
  process.on("unhandledRejection", note);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
  const set = (work: () => void, delay?: number) => {
    const timer = startTimer(() => {
      timers.delete(timer);
      work();
    }, delay);
    timers.add(timer);
    return timer;
  };
  const clear = (timer: NodeJS.Timeout | undefined) => {
    if (timer) timers.delete(timer);
    stopTimer(timer);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
});

afterEach(async () => {
  vi.useRealTimers();
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

/** An agent that calls a tool and then answers. */
function agentOn(store: Store, provider: Provider = scripted([`So.${block(["echo", { text: "x" }])}`, "Done.<end>"])) {
  return createAgent({ provider, store, tools: [echo] });
}

/**
 * Starts a run, aborts it once `hangs` resolves, and measures how long it goes on.
 *
 * @param reason that of the abort
 */
async function aborted(store: Store, hangs: Promise<unknown>, { provider, reason }: Given = {}) {
  const controller = new AbortController();
  const { result } = agentOn(store, provider).run("go", { conversation, signal: controller.signal });
  await hangs;
  controller.abort(reason);
  return ending(result);
}

/** How a run ends, how long that takes, and the timers that it leaves. */
async function ending(result: Promise<RunResult>) {
  const start = performance.now();
  let ended: (RunResult & { took: number }) | undefined;
  void result.then((result) => {
    ended = { ...result, took: performance.now() - start };
  });
  for (let passed = 0; passed < 2000 && !ended; passed += 10) await vi.advanceTimersByTimeAsync(10);
  if (!ended) throw new Error("The run did not end.");
  return { ...ended, timers: lively() };
}

interface Given {
  provider?: Provider;
  reason?: unknown;
}

/** A store of which one request, the nth of its kind, never ends, and when it came. */
function hanging(kind: "append" | "load" | "lease", nth: number) {
  const inner = memoryStore();
  const came = Promise.withResolvers<void>();
  let asked = 0;
  const isHanging = (asking: string) => {
    if (asking !== kind || ++asked < nth) return false;
    came.resolve();
    return true;
  };
  const store: Store = {
    ...inner,
    append: (...given) => (isHanging("append") ? never() : inner.append(...given)),
    load: (...given) => (isHanging("load") ? never() : inner.load(...given)),
    lease: (...given) => (isHanging("lease") ? never() : inner.lease(...given)),
  };
  return { store, came: came.promise };
}

/** A store whose leases have these methods. */
function leasing(
  change: (lease: Lease) => Partial<Pick<Lease, "renew" | "release">>,
  more: Partial<Store> = {},
): Store {
  const inner = memoryStore();
  return {
    ...inner,
    ...more,
    async lease(...given) {
      const lease = await inner.lease(...given);
      const { owner, token, ttl, expiresAt, lost } = lease;
      return {
        owner,
        token,
        ttl,
        expiresAt,
        lost,
        renew: (ttl) => lease.renew(ttl),
        release: () => lease.release(),
        ...change(lease),
      };
    },
  };
}

const timeout = new DOMException("The time is over.", "TimeoutError");

describe("a run that is aborted ends within 500 ms", () => {
  it.each([
    ["", undefined],
    [", by a deadline", timeout],
  ])("while its provider hangs%s", async (_, reason) => {
    const asked = Promise.withResolvers<void>();
    const provider: Provider = {
      ...scripted([]),
      // biome-ignore lint/correctness/useYield: it hangs before its first event
      async *stream() {
        asked.resolve();
        await never();
      },
    };
    const store = memoryStore();
    const run = await aborted(store, asked.promise, { provider, reason });
    expect(run).toMatchObject({
      status: "stopped",
      stop: { reason: reason ? "time_limit" : "user_requested" },
      timers: 0,
    });
    expect(run.error).toBeUndefined();
    expect(run.took).toBeLessThan(limit);
    await (await store.lease({ conversation }, { owner: "next", ttl: 1000 })).release();
  });

  it("while its provider hangs, and never ends its iteration", async () => {
    const asked = Promise.withResolvers<void>();
    const provider: Provider = {
      ...scripted([]),
      stream: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            asked.resolve();
            return never();
          },
          return: never,
        }),
      }),
    };
    const run = await aborted(memoryStore(), asked.promise, { provider });
    expect(run).toMatchObject({ status: "stopped", stop: { reason: "user_requested" }, timers: 0 });
    expect(run.took).toBeLessThan(limit);
  });

  describe.each([
    ["the user", undefined, "user_requested"],
    ["a deadline", timeout, "time_limit"],
  ])("by %s", (_, reason, stop) => {
    const hangs = [
      ["append", 1],
      ["append", 2],
      ["append", 3],
      ["append", 4],
      ["load", 1],
      ["load", 2],
      ["load", 3],
    ] as const;

    it.each(hangs)("while its store hangs, from %s %i on, as `stopped` and `not_stored`", async (kind, nth) => {
      const { store, came } = hanging(kind, nth);
      const run = await aborted(store, came, { reason });
      expect(run).toMatchObject({ status: "stopped", stop: { reason: stop }, error: { code: "not_stored" } });
      expect(run.timers).toBe(0);
      expect(run.took).toBeLessThan(limit);
    });

    it("while its lease is not granted", async () => {
      const { store, came } = hanging("lease", 1);
      const run = await aborted(store, came, { reason });
      expect(run).toMatchObject({ status: "stopped", stop: { reason: stop }, error: { code: "not_stored" } });
      expect(run.took).toBeLessThan(limit);
    });
  });

  it("although its lease is never taken back", async () => {
    const asked = Promise.withResolvers<void>();
    const provider: Provider = {
      ...scripted([]),
      async *stream(_, { signal } = {}) {
        yield { type: "text", text: "Half" };
        asked.resolve();
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      },
    };
    const store = leasing(() => ({ release: never }));
    const run = await aborted(store, asked.promise, { provider });
    expect(run).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    expect(run.took).toBeLessThan(limit);
  });

  it("although the renewal of its lease hangs", async () => {
    const renewing = Promise.withResolvers<void>();
    const renew = () => {
      renewing.resolve();
      return never();
    };
    const store = leasing(() => ({ renew }), { renew });
    const provider: Provider = {
      ...scripted([]),
      // biome-ignore lint/correctness/useYield: it hangs before its first event
      async *stream() {
        await never();
      },
    };
    const controller = new AbortController();
    const agent = createAgent({ provider, store, lease: { ttl: 60 } });
    const { result } = agent.run("go", { conversation, signal: controller.signal });
    await vi.advanceTimersByTimeAsync(30);
    await renewing.promise;
    controller.abort();
    const run = await ending(result);
    expect(run).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    expect(run.took).toBeLessThan(limit);
  });
});

describe("a store that answers too late", () => {
  it("does not keep an aborted run waiting for the next answer", async () => {
    const inner = memoryStore();
    const came = Promise.withResolvers<void>();
    let appends = 0;
    const store: Store = {
      ...inner,
      append: async (...given) => {
        appends++;
        if (appends === 1) return inner.append(...given);
        came.resolve();
        // The first answer comes after it was given up, the others never.
        if (appends === 2) {
          await new Promise((resolve) => setTimeout(resolve, 300));
          return inner.append(...given);
        }
        return never();
      },
    };
    const run = await aborted(store, came.promise);
    expect(run).toMatchObject({ status: "stopped", error: { code: "not_stored" } });
    expect(run.took).toBeLessThan(1000);
  });
});

describe("a consumer that leaves while the store hangs", () => {
  const left = async () => {
    const inner = memoryStore();
    let isHanging = false;
    const store: Store = { ...inner, append: (...given) => (isHanging ? never() : inner.append(...given)) };
    const run = agentOn(store).run("go", { conversation });
    const iterator = run[Symbol.asyncIterator]();
    await iterator.next();
    isHanging = true;
    const start = performance.now();
    const leaving = Promise.allSettled([iterator.return?.()]).then(() => performance.now() - start);
    const ended = await ending(run.result);
    return { ...ended, left: await leaving };
  };

  it("waits for less than 500 ms", async () => {
    const run = await left();
    expect(run.left).toBeLessThan(limit);
    expect(run).toMatchObject({ error: { code: "not_stored" }, timers: 0 });
  });

  it("gets the status `stopped`, as after an abort", async () => {
    expect(await left()).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
  });
});
