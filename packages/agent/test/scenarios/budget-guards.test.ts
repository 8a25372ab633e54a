import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAgent } from "../../src/index.ts";
import { hooked } from "../hooks/stage.ts";
import { block, conversation } from "../support/fixtures.ts";

/** Calls a tool. Each step uses 6,000 new tokens. */
const acting = (what: string, index: number) => ({
  chunks: block(["act", { what }]),
  usage: { input: 5990 * (index + 1), output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
});

describe("S17 a limit of tokens", () => {
  it.each([
    { tokens: 6050, steps: 1, used: 6000 },
    { tokens: 12_050, steps: 2, used: 12_000 },
  ])(
    "of $tokens ends the run after $steps steps, before the one that may overshoot it",
    async ({ tokens, steps, used }) => {
      const stage = hooked(["a", "b", "c"].map(acting), [], { budget: { tokens }, request: { maxOutputTokens: 100 } });
      const ended = await stage.go();
      expect(ended).toMatchObject({
        status: "stopped",
        steps,
        usage: { input: (5990 * steps * (steps + 1)) / 2, output: 10 * steps },
      });
      expect(ended.stop).toMatchObject({
        reason: "token_limit",
        context: { totalTokens: used, maxTotalTokens: tokens, needed: expect.any(Number) },
      });
      expect(stage.provider.requests).toHaveLength(steps);
      expect(stage.toldOf("step_started")).toHaveLength(steps);
    },
  );
});

describe("S17 a deadline", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("aborts the request that hangs, ends the run, and keeps what the model had written", async () => {
    const provider = scripted([{ chunks: "Half an ", hang: true }]);
    const store = memoryStore();
    const agent = createAgent({ provider, store, budget: { seconds: 1 } });
    const { promise, resolve } = Promise.withResolvers<void>();
    agent.on("request_started", () => resolve());
    const { result } = agent.run("go", { conversation });
    result.catch(() => undefined);
    await promise;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await result).toMatchObject({ status: "stopped", stop: { reason: "time_limit" }, text: "Half an" });
    expect(provider.requests).toHaveLength(1);
    const log = await store.load({ conversation });
    expect(log).toContainEqual(expect.objectContaining({ type: "respond", content: "Half an" }));
    // The run is not over: nothing says so, and `recover` goes on with it.
    expect(log.filter((event) => event.type === "record" && event.kind === "run")).toEqual([]);
  });

  it("is that of one run: another run of the same agent has its own", async () => {
    const provider = scripted([
      { chunks: "a", hang: true },
      { chunks: "b", hang: true },
    ]);
    const agent = createAgent({ provider, store: memoryStore() });
    let begun = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    agent.on("request_started", () => {
      if (++begun === 2) resolve();
    });
    const over: string[] = [];
    const runOf = (name: string, seconds: number) => {
      const { result } = agent.run("go", { conversation: name, budget: { seconds } });
      return result.then((ended) => {
        over.push(name);
        return ended;
      });
    };
    const short = runOf("short", 1);
    const long = runOf("long", 3);
    await promise;
    await vi.advanceTimersByTimeAsync(1000);
    expect((await short).stop?.reason).toBe("time_limit");
    await vi.advanceTimersByTimeAsync(1000);
    expect(over).toEqual(["short"]);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await long).stop?.reason).toBe("time_limit");
  });
});
