import { type Provider, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { type AgentOptions, createAgent, type RunResult } from "../src/index.ts";
import { block, conversation, types } from "./support/fixtures.ts";

const never = () => new Promise<never>(() => {});

/** Milliseconds in which a run is over that was aborted. */
const limit = 500;

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(async () => {
  // A lease that was not taken back is remembered for its time. Hashes take time that no timer counts, and what comes after them may begin
  // late on a busy machine.
  await vi.advanceTimersByTimeAsync(60_000);
  for (let looks = 0; looks < 1000 && vi.getTimerCount() > 0; looks++) {
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  const left = vi.getTimerCount();
  vi.useRealTimers();
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
  expect(left).toBe(0);
});

/** How a run ends, and after how long. */
async function ended(result: Promise<RunResult>) {
  const start = performance.now();
  let ending: (RunResult & { took: number }) | undefined;
  void result.then((result) => {
    ending = { ...result, took: performance.now() - start };
  });
  for (let passed = 0; passed < 3000 && !ending; passed += 10) await vi.advanceTimersByTimeAsync(10);
  if (!ending) throw new Error("The run did not end.");
  return ending;
}

/** Parts that hang once `gate.isShut`. */
function hanging(...parts: (keyof Store | "provider" | "release" | "tool")[]) {
  const gate = { isShut: false };
  const begun = Promise.withResolvers<void>();
  const inner = memoryStore();
  const orHangs = <A extends unknown[], R>(part: (typeof parts)[number], work: (...given: A) => R) =>
    parts.includes(part) ? (...given: A) => (gate.isShut ? never() : work(...given)) : work;
  const store = {
    ...inner,
    append: orHangs("append", inner.append.bind(inner)),
    load: orHangs("load", inner.load.bind(inner)),
    inbox: orHangs("inbox", inner.inbox.bind(inner)),
    lease: async (...given: Parameters<Store["lease"]>) => {
      const lease = await inner.lease(...given);
      const { owner, token, ttl, expiresAt, lost } = lease;
      const renew = (ttl?: number) => lease.renew(ttl);
      return { owner, token, ttl, expiresAt, lost, renew, release: orHangs("release", () => lease.release()) };
    },
  } as Store;
  /** Ends as late as a tool may, or never. */
  const tool = defineTool({
    name: "deaf",
    description: "Does not listen.",
    input: z.object({}),
    grace: 400,
    execute: (_, { signal }) => {
      begun.resolve();
      if (parts.includes("tool")) return never();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const script = scripted([block(["deaf", {}]), "Done.<end>"]);
  const provider: Provider = {
    ...script,
    // biome-ignore lint/correctness/useYield: it hangs before its first event
    async *stream() {
      begun.resolve();
      await never();
    },
  };
  return { gate, begun: begun.promise, inner, store, tool, provider: parts.includes("provider") ? provider : script };
}

/** Aborts a run once its tool has begun, or its request, and everything that is to hang does. */
async function aborted(host: ReturnType<typeof hanging>, options: Partial<AgentOptions> = {}, reason?: unknown) {
  const { gate, begun, store, tool, provider } = host;
  const controller = new AbortController();
  const agent = createAgent({ provider, store, tools: [tool], ...options });
  const run = agent.run("go", { conversation, signal: controller.signal });
  const events: { type: string }[] = [];
  const reading = (async () => {
    for await (const event of run) events.push(event);
  })();
  const { result } = run;
  await begun;
  gate.isShut = true;
  controller.abort(reason);
  const ending = await ended(result);
  await reading;
  return { ...ending, events: types(events) };
}

const deadline = new DOMException("The time is over.", "TimeoutError");

describe.each([
  ["the user", undefined, "user_requested"],
  ["a deadline", deadline, "time_limit"],
] as const)("a run that is aborted by %s is over within 500 ms", (_, reason, stop) => {
  it.each([
    ["its tool and the store", ["tool", "append", "load"]],
    ["its tool, the store and the lease", ["tool", "append", "load", "release"]],
    ["its provider and the store", ["provider", "append", "load"]],
    ["its provider, the store and the lease", ["provider", "append", "load", "release"]],
    ["the store, the inbox and the lease", ["append", "load", "inbox", "release"]],
    ["everything", ["provider", "tool", "append", "load", "inbox", "release"]],
  ] as const)("while %s hang, as `stopped` and `not_stored`", async (_, parts) => {
    const run = await aborted(hanging(...parts), {}, reason);
    expect(run.took).toBeLessThan(limit);
    expect(run).toMatchObject({ status: "stopped", stop: { reason: stop }, error: { code: "not_stored" } });
    expect(run.events.filter((type) => type === "interrupt" || type === "cancelled")).toEqual(["interrupt"]);
    expect(run.events.at(-1)).toBe("interrupt");
  });

  it("while its tool and the lease hang: its end is stored, so there is no error", async () => {
    const host = hanging("tool", "release");
    const run = await aborted(host, {}, reason);
    expect(run.took).toBeLessThan(limit);
    expect(run).toMatchObject({ status: "stopped", stop: { reason: stop }, unknown: [{ name: "deaf", args: {} }] });
    expect(run.error).toBeUndefined();
    const stored = types(await host.inner.load({ conversation }));
    expect(stored.filter((type) => type === "result")).toHaveLength(1);
    expect(stored.at(-1) === "cancelled").toBe(stop === "user_requested");
  });

  it("lists the call that was in flight, whose end the store did not take", async () => {
    const run = await aborted(hanging("tool", "append"), {}, reason);
    expect(run.took).toBeLessThan(limit);
    expect(run.unknown).toMatchObject([{ name: "deaf", args: {} }]);
  });
});

describe("a run that is aborted", () => {
  it("after a hook of its own never ends is over within 500 ms, and gives its lease back", async () => {
    const host = hanging();
    const hooks = [{ name: "slow", afterToolUse: never }];
    const run = await aborted(host, { execution: { hooks, timeout: Number.POSITIVE_INFINITY } });
    expect(run.took).toBeLessThan(limit);
    expect(run.status).toBe("stopped");
    await (await host.inner.lease({ conversation }, { owner: "next", ttl: 1000 })).release();
  });

  it("once its answer is stored stays completed, also if the inbox hangs", async () => {
    const inner = memoryStore();
    const came = Promise.withResolvers<void>();
    let isShut = false;
    const store: Store = {
      ...inner,
      inbox(...given) {
        if (!isShut) return inner.inbox(...given);
        came.resolve();
        return never();
      },
    };
    const asked = Promise.withResolvers<void>();
    const answering = Promise.withResolvers<void>();
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        asked.resolve();
        await answering.promise;
        yield { type: "text", text: "Done.<end>" };
        yield { type: "finish", reason: "stop" };
      },
    };
    const agent = createAgent({ provider, store });
    const controller = new AbortController();
    const { result } = agent.run("go", { conversation, signal: controller.signal });
    await vi.advanceTimersByTimeAsync(10);
    await asked.promise;
    isShut = true;
    await agent.send({ conversation }, { kind: "steer", content: "wait" });
    await came.promise;
    answering.resolve();
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    const run = await ended(result);
    expect(run.took).toBeLessThan(limit);
    expect(run).toMatchObject({ status: "completed", text: "Done." });
    expect(run.error).toBeUndefined();
  });

  it("gives its consumer the time that it takes for an event: that is no store that hangs", async () => {
    const { begun, inner, store, tool, provider } = hanging();
    const controller = new AbortController();
    const agent = createAgent({ provider, store, tools: [tool] });
    const run = agent.run("go", { conversation, signal: controller.signal });
    const { result } = run;
    const events: string[] = [];
    const reading = (async () => {
      for await (const event of run) {
        events.push(event.type);
        if (controller.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 400));
      }
    })();
    await begun;
    controller.abort();
    const ending = await ended(result);
    await reading;
    expect(ending.error).toBeUndefined();
    expect(ending).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    expect(events.slice(-2)).toEqual(["interrupt", "cancelled"]);
    expect((await inner.load({ conversation })).at(-1)).toMatchObject({ type: "cancelled" });
  });

  it("and given up gives no event any more, and stores nothing, when what hung goes on", async () => {
    const inner = memoryStore();
    const begun = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    const tool = defineTool({
      name: "work",
      description: "Work.",
      input: z.object({}),
      grace: 400,
      async execute() {
        begun.resolve();
        await late.promise;
        return "late";
      },
    });
    let isShut = false;
    const store: Store = {
      ...inner,
      append: async (...given) => {
        if (isShut) await late.promise;
        return inner.append(...given);
      },
    };
    const controller = new AbortController();
    const provider = scripted([block(["work", {}]), "Done.<end>"]);
    const run = createAgent({ provider, store, tools: [tool] }).run("go", { conversation, signal: controller.signal });
    const iterator = run[Symbol.asyncIterator]();
    const { result } = run;
    const events: string[] = [];
    const reading = (async () => {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) events.push(next.value.type);
    })();
    await begun.promise;
    isShut = true;
    controller.abort();
    expect(await ended(result)).toMatchObject({ status: "stopped", error: { code: "not_stored" } });
    await reading;
    const stored = (await inner.load({ conversation })).length;
    late.resolve();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(events.at(-1)).toBe("interrupt");
    // What was asked of the store before the end may still come; nothing is asked after it.
    expect((await inner.load({ conversation })).length - stored).toBeLessThanOrEqual(1);
    expect(provider.requests).toHaveLength(1);
  });
});
