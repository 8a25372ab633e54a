import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Provider, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent, type Run, type RunEvent } from "../src/index.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Collects garbage, and lets what follows from it happen. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    collect();
    await new Promise(setImmediate);
  }
}

const conversation = "c";

describe("A run whose iterator nobody holds", () => {
  it("is cancelled and gives its lease back", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: scripted(["Well.<end>", "Here.<end>"]), store });
    // Not in this function: its frame would hold the iterator.
    const pullOnce = () => agent.run("Hello?", { conversation })[Symbol.asyncIterator]().next();
    expect((await pullOnce()).value).toMatchObject({ type: "user" });
    const statuses: string[] = [];
    const again = async () => {
      const { status, error } = await agent.run("Again?", { conversation }).result;
      statuses.push(error?.code ?? status);
      return status === "completed";
    };
    while (!(await again()) && statuses.length < 50) await collectGarbage();
    expect(statuses[0]).toBe("busy");
    expect(statuses.at(-1)).toBe("completed");
    expect((await store.load({ conversation })).map(({ type }) => type)).toContain("cancelled");
  });

  it("says in its result that its consumer left", async () => {
    const agent = createAgent({ provider: scripted(["Well.<end>"]), store: memoryStore() });
    const run = agent.run("Hello?", { conversation });
    await (() => run[Symbol.asyncIterator]().next())();
    let stop: string | undefined;
    void run.result.then((result) => {
      stop = result.stop?.reason;
    });
    for (let round = 0; round < 50 && !stop; round++) await collectGarbage();
    expect(stop).toBe("user_requested");
  });

  it("goes on while a pull waits for its next event", async () => {
    const gate = Promise.withResolvers<void>();
    const provider: Provider = {
      ...scripted([]),
      async *stream(): AsyncGenerator<{ type: "text"; text: string }> {
        await gate.promise;
        yield { type: "text", text: "Here.<end>" };
      },
    };
    const agent = createAgent({ provider, store: memoryStore() });
    const pullTwice = async () => {
      const iterator = agent.run("Hello?", { conversation })[Symbol.asyncIterator]();
      await iterator.next();
      return { pull: iterator.next() };
    };
    const { pull } = await pullTwice();
    await collectGarbage();
    gate.resolve();
    expect((await pull).value).toMatchObject({ type: "respond", content: "Here." });
  });
});

describe("A run that is over is not kept", () => {
  const hanging: Provider = {
    ...scripted([]),
    async *stream(_, { signal } = {}): AsyncGenerator<{ type: "text"; text: string }> {
      yield { type: "text", text: "Well. " };
      await new Promise((resolve) => signal?.addEventListener("abort", resolve, { once: true }));
    },
  };

  it.each<[end: string, provider: Provider, take: (run: Run<RunEvent>, abort: () => void) => Promise<unknown>]>([
    ["answered", scripted(["Well.<end>"]), (run) => run.result],
    ["left", hanging, leaveAtText],
    [
      "cancelled",
      hanging,
      async (run, abort) => {
        for await (const { type } of run) if (type === "respond") abort();
      },
    ],
    ["failed", scripted([]), (run) => run.result],
  ])("when it was %s", async (_, provider, take) => {
    const agent = createAgent({ provider, store: memoryStore() });
    // The run holds its listener.
    const go = async () => {
      const controller = new AbortController();
      const listener = () => undefined;
      const run = agent.run("Hello?", { on: listener, events: "all", stream: "token", signal: controller.signal });
      await take(run, () => controller.abort());
      return new WeakRef(listener);
    };
    const kept = await go();
    for (let round = 0; round < 50 && kept.deref(); round++) await collectGarbage();
    expect(kept.deref()).toBeUndefined();
  });

  async function leaveAtText(run: Run<RunEvent>): Promise<void> {
    for await (const { type } of run) if (type === "respond") break;
  }
});
