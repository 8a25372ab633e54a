import type { LogEvent } from "@cogency/protocol";
import { type Key, memoryStore, type Store, StoreError } from "@cogency/storage";
import { createWorker } from "@cogency/worker";
import { describe, expect, it } from "vitest";
import { agentOf, block, childrenOf, conversation, give, helper, keyRing, resultsIn, tool } from "./support/play.ts";

/** A tool that never ends by itself, and says when it began. */
function endless() {
  const begun = Promise.withResolvers<void>();
  const own = tool("work", {
    annotations: { idempotentHint: true },
    execute: (_: unknown, { signal }: { signal: AbortSignal }) => {
      begun.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  } as never);
  return { begun: begun.promise, tool: own };
}

const family = () => [helper("outer", [block(give("inner"))]), helper("inner", [block(["note"]), block(["work"])])];
const goesOn = () => [helper("outer", ["Out.<end>"]), helper("inner", ["In.<end>"])];

describe("a deadline of the run", () => {
  it("interrupts the agents below, and who goes on with the run goes on with them", async () => {
    const store = memoryStore();
    let notes = 0;
    const note = tool("note", { execute: () => `noted ${++notes}` } as never);
    const { tool: work } = endless();
    const { agent } = agentOf([block(give("outer"))], family(), { store, keyRing, tools: [note, work] });
    const first = await agent.ask("Go.", { conversation, budget: { seconds: 0.3 } });
    expect(first).toMatchObject({ status: "stopped", stop: { reason: "time_limit" } });
    const [child = ""] = await childrenOf(store);
    const [grandchild = ""] = await childrenOf(store, child);
    for (const one of [conversation, child]) {
      const log = await store.load({ conversation: one });
      expect(log.some(({ type }) => type === "result" || type === "cancelled")).toBe(false);
    }
    const definitions = goesOn();
    const next = agentOf(["Done.<end>"], definitions, { store, keyRing, tools: [note, tool("work")] }).agent;
    expect(await next.recover({ conversation }).result).toMatchObject({ status: "completed", text: "Done." });
    expect(notes).toBe(1);
    expect(await childrenOf(store, child)).toEqual([grandchild]);
    expect(await resultsIn(store)).toMatchObject([{ content: { text: "Out." } }]);
    for (const { provider } of definitions) provider.assertDone();
  });

  it("of an agent alone is its own: the result of the call says so", async () => {
    const store = memoryStore();
    const { tool: work } = endless();
    const worker = helper("a", [`Half.${block(["work"])}`], { budget: { seconds: 0.2 } });
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { store, keyRing, tools: [work] });
    expect(await agent.ask("Go.", { conversation })).toMatchObject({ status: "completed", text: "Done." });
    expect(await resultsIn(store)).toMatchObject([
      { status: "success", content: { status: "stopped", text: "Half.", stop: { reason: "time_limit" } } },
    ]);
  });
});

describe("a worker that is drained", () => {
  it("hands over the run with the agents below before their next step, and another one goes on with them", async () => {
    const store = memoryStore();
    const inStep = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<string>();
    const slow = tool("slow", {
      execute: () => {
        inStep.resolve();
        return goOn.promise;
      },
    } as never);
    const inner = helper("inner", [block(["slow"])]);
    const outer = helper("outer", [block(give("inner"))]);
    const { agent } = agentOf([block(give("outer"))], [outer, inner], { store, keyRing, tools: [slow] });
    await agent.send({ conversation }, { kind: "prompt", content: "Go." });
    const first = createWorker({ agent, store, lookEvery: 20, on: () => {} });
    await first.start();
    await inStep.promise;
    const drained = first.drain();
    goOn.resolve("slowly done");
    await drained;
    const [child = ""] = await childrenOf(store);
    const [grandchild = ""] = await childrenOf(store, child);
    expect(await resultsIn(store, grandchild)).toMatchObject([{ content: "slowly done" }]);
    expect(await resultsIn(store)).toEqual([]);
    const definitions = goesOn();
    const next = agentOf(["Done.<end>"], definitions, { store, keyRing, tools: [slow] }).agent;
    const second = createWorker({ agent: next, store, lookEvery: 20, on: () => {} });
    await second.start();
    await expect.poll(async () => (await resultsIn(store)).length).toBe(1);
    await expect
      .poll(async () => (await store.load({ conversation })).filter(({ type }) => type === "respond").length)
      .toBe(1);
    await second.drain();
    expect(await childrenOf(store, child)).toEqual([grandchild]);
    for (const { provider } of definitions) provider.assertDone();
  });
});

describe("a run that has lost its conversation to another process", () => {
  it("does not cancel the agents below: the other one goes on with them, and no effect comes twice", async () => {
    const store = memoryStore();
    let notes = 0;
    const note = tool("note", { execute: () => `noted ${++notes}` } as never);
    const { tool: work, begun } = endless();
    // Its process seems to be gone, and is not: its lease was over while it slept.
    const { agent } = agentOf([block(give("outer"))], family(), {
      store,
      keyRing,
      tools: [note, work],
      lease: { ttl: 300 },
    });
    const first = agent.ask("Go.", { conversation });
    await begun;
    const definitions = goesOn();
    const next = agentOf(["Done.<end>"], definitions, {
      store,
      keyRing,
      tools: [note, tool("work", { annotations: { idempotentHint: true } })],
      lease: { isGone: () => true },
    }).agent;
    const second = await next.recover({ conversation }).result;
    expect(second).toMatchObject({ status: "completed", text: "Done." });
    expect((await first).status).toBe("failed");
    expect(notes).toBe(1);
    const [child = ""] = await childrenOf(store);
    const [grandchild = ""] = await childrenOf(store, child);
    for (const one of [child, grandchild]) {
      expect((await store.load({ conversation: one })).some(({ type }) => type === "cancelled")).toBe(false);
    }
    for (const { provider } of definitions) provider.assertDone();
  });
});

describe("an agent that has lost its own lease, as after a sleep of the machine", () => {
  it("goes on in another run of the same call", async () => {
    const inner = memoryStore();
    let failures = 2;
    const store = new Proxy(inner, {
      get(target, property) {
        const value = Reflect.get(target, property);
        if (property !== "append") return typeof value === "function" ? value.bind(target) : value;
        return async (key: Key, events: readonly LogEvent[], options: object) => {
          const isAnswer = key.conversation !== conversation && events.some(({ type }) => type === "respond");
          if (isAnswer && failures-- > 0) throw new StoreError("lease_lost", "The lease has expired.");
          return target.append(key, events, options);
        };
      },
    }) as Store;
    const worker = helper("a", ["Lost.<end>", "Found.<end>"]);
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { store, keyRing });
    expect(await agent.ask("Go.", { conversation })).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(await resultsIn(inner)).toMatchObject([{ content: { status: "completed", text: "Found." } }]);
    worker.provider.assertDone();
  });
});
