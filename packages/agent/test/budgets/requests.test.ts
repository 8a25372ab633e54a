import type { RunEvent } from "@cogency/protocol";
import { ProviderError, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent } from "../../src/index.ts";
import { reactDriver } from "../../src/react.ts";
import { block, conversation, echo, types } from "../support/fixtures.ts";
import { answer, usage } from "../support/react.ts";

/** Calls a tool, and has used this many tokens. Calls with other usage are other calls. */
const acting = (input: number, output = 10): ScriptedStep => ({
  chunks: block(["echo", { text: `${input}, ${output}`.padEnd(20) }]),
  usage: usage(input, output),
});

function agentOf(steps: ScriptedStep[], options: Partial<AgentOptions> = {}) {
  const provider = scripted(steps, { model: "m" });
  const store = memoryStore();
  const agent = createAgent({ provider, store, tools: [echo], request: { maxOutputTokens: 100 }, ...options });
  return { agent, provider, store };
}

describe("a request that does not fit into the tokens that are left", () => {
  // Each request holds what the one before held: 2,000 new tokens, then 2,100, then 2,200.
  const steps = () => [acting(2000), acting(4100), acting(6300)];

  it("is not made: the run stops, and says what is used and what is needed", async () => {
    const { agent, provider, store } = agentOf(steps(), { budget: { tokens: 4230 }, recordRequests: true });
    const heard: RunEvent[] = [];
    const { status, stop, steps: taken } = await agent.ask("go", { conversation, on: (event) => heard.push(event) });
    expect({ status, taken, requests: provider.requests.length }).toEqual({ status: "stopped", taken: 2, requests: 2 });
    const needed = stop?.context.needed as number;
    // What is new, and the longest answer.
    expect(needed).toBeGreaterThan(100);
    expect(needed).toBeLessThan(200);
    expect(stop).toEqual({
      reason: "token_limit",
      message: `The run has used 4120 of 4230 tokens, and its next request may need ${needed}. The limit is \`budget.tokens\`: raise it, and go on with a new prompt.`,
      context: { totalTokens: 4120, maxTotalTokens: 4230, needed },
    });
    const stored = await store.load({ conversation });
    expect(stored.filter((event) => event.type === "record" && event.kind === "request")).toHaveLength(2);
    expect(stored.at(-1)).toMatchObject({ kind: "run", data: { status: "stopped", stop } });
    expect(types(heard).filter((type) => type === "step_started")).toHaveLength(2);
  });

  it("fits with a token more", async () => {
    const { agent } = agentOf(steps(), { budget: { tokens: 4230 } });
    const { stop } = await agent.ask("go");
    const tokens = 4120 + (stop?.context.needed as number);
    const { agent: next, provider } = agentOf(steps(), { budget: { tokens } });
    await next.ask("go");
    expect(provider.requests).toHaveLength(3);
    const { agent: last, provider: asked } = agentOf(steps(), { budget: { tokens: tokens - 1 } });
    await last.ask("go");
    expect(asked.requests).toHaveLength(2);
  });

  it("ends a run before its first step, too", async () => {
    const { agent, provider } = agentOf(["Hi."], { budget: { tokens: 101 }, tools: [] });
    const { status, stop, steps } = await agent.ask("go");
    expect({ status, steps, reason: stop?.reason }).toEqual({ status: "stopped", steps: 0, reason: "token_limit" });
    expect(provider.requests).toEqual([]);
  });

  it("is one whose answer may take 4,096 tokens if `maxOutputTokens` is not set", async () => {
    const counted = { input: 10, cacheRead: 20, cacheWrite: 30, output: 2000, reasoning: 5 };
    const step = { ...(acting(0) as object), usage: counted };
    const { agent } = agentOf([step], { budget: { tokens: 2060 + 4096 }, request: {} });
    const { stop, steps } = await agent.ask("go");
    expect({ steps, used: stop?.context.totalTokens }).toEqual({ steps: 1, used: 2060 });
    expect(stop?.context.needed).toBeGreaterThan(4096);
  });

  it("is measured by what the provider counted, not by an estimate of the whole", async () => {
    const instructions = "x".repeat(40_000);
    const { agent, provider } = agentOf([acting(50), acting(60), { chunks: "Done.", usage: usage(70, 2) }], {
      instructions,
      budget: { tokens: 11_000 },
    });
    // Estimated, each request has more than 10,000 tokens.
    expect(await agent.ask("go")).toMatchObject({ status: "completed", text: "Done." });
    expect(provider.requests).toHaveLength(3);
  });

  it("does not wake an ended run: `recover` finds it stopped", async () => {
    const { agent, provider } = agentOf(steps(), { budget: { tokens: 4230 } });
    const { stop } = await agent.ask("go", { conversation });
    expect(await agent.recover({ conversation }).result).toMatchObject({ status: "stopped", steps: 0, stop });
    expect(provider.requests).toHaveLength(2);
  });

  it("is made if a run lifts the limit of its agent", async () => {
    const { agent } = agentOf([acting(9000), "Done."], { budget: { tokens: 4230 } });
    expect(await agent.ask("go", { budget: { tokens: Number.POSITIVE_INFINITY } })).toMatchObject({ text: "Done." });
  });

  it("may be the second one of a step: the driver's next try is not made", async () => {
    const budget = { tokens: 7000 };
    const nonsense = (input: number) => ({ chunks: "no decision", usage: usage(input, 10) });
    const { agent, provider, store } = agentOf([nonsense(3000), nonsense(6900), answer("Done.")], {
      budget,
      driver: reactDriver(),
    });
    const { status, stop, usage: used, steps } = await agent.ask("go", { conversation });
    expect({ status, reason: stop?.reason, steps }).toEqual({ status: "stopped", reason: "token_limit", steps: 1 });
    expect(stop?.context).toMatchObject({ totalTokens: 0, maxTotalTokens: 7000 });
    expect(used).toMatchObject({ input: 9900, output: 20 });
    expect(provider.requests).toHaveLength(2);
    expect((await store.load({ conversation })).at(-1)).toMatchObject({ kind: "run" });
  });
});

describe("a limit of the cost", () => {
  const prices = { m: { input: 10, output: 20 } };

  it("stops the run before the request that might exceed it", async () => {
    const { agent, provider } = agentOf([acting(2000), acting(2000)], { prices, budget: { cost: 0.05 } });
    const { stop, cost } = await agent.ask("go");
    expect(cost).toBeCloseTo(0.0404, 10);
    expect(stop).toMatchObject({ reason: "cost_limit", context: { totalCost: cost, maxCost: 0.05 } });
    // 2,000 tokens of input at 10 and 100 of output at 20, a million each, at least.
    expect(stop?.context.needed).toBeGreaterThan(0.022);
    expect(stop?.context.needed).toBeLessThan(0.024);
    expect(provider.requests).toHaveLength(2);
  });

  it("is the price of 20,000,000 tokens of input and 2,000,000 of output where it is known, and none elsewhere", async () => {
    const dear = () => [acting(19_900_000), acting(19_900_001)];
    const budget = { tokens: Number.POSITIVE_INFINITY };
    const { agent } = agentOf(dear(), { prices, budget });
    expect((await agent.ask("go")).stop).toMatchObject({ reason: "cost_limit", context: { maxCost: 240 } });
    const { agent: free } = agentOf([...dear(), "Done."], { budget });
    expect(await free.ask("go")).toMatchObject({ status: "completed", text: "Done." });
  });

  it("counts input at the price of what goes into a cache, if that is dearer", async () => {
    const cached = { m: { input: 0, output: 0, cacheWrite: 1000 } };
    const { agent, provider } = agentOf(["Hi."], { prices: cached, budget: { cost: 0.01 } });
    expect((await agent.ask("x".repeat(400))).stop?.reason).toBe("cost_limit");
    expect(provider.requests).toEqual([]);
  });

  it("is that of the model that takes over, at its own price", async () => {
    const down = { error: new ProviderError("connection", "gone") };
    const second = scripted(["Hi."], { name: "second", model: "gold" });
    const both = { ...prices, gold: { input: 10_000, output: 10_000 } };
    const { agent } = agentOf([down], { fallback: [second], prices: both, budget: { cost: 0.1 } });
    const { status, stop, steps } = await agent.ask("go");
    expect({ status, steps, reason: stop?.reason }).toEqual({ status: "stopped", steps: 1, reason: "cost_limit" });
    expect(second.requests).toEqual([]);
  });

  it("is refused if the price of a model that may be asked is unknown", () => {
    const budget = { cost: 5 };
    const message = 'budget.cost is 5, but the price of the model "m" is unknown; add it to `prices` of createAgent.';
    expect(() => agentOf([], { budget })).toThrow(new TypeError(message));
    expect(() => agentOf([], { budget: { conversation: budget } })).toThrow("budget.conversation.cost is 5");
    const fallback = [scripted([], { model: "other" })];
    expect(() => agentOf([], { budget, prices, fallback })).toThrow('the model "other" is unknown');
    expect(() => agentOf([], { budget, prices, request: { model: "named" } })).toThrow('the model "named" is unknown');
    expect(() => agentOf([]).agent.run("go", { budget })).toThrow(TypeError);
    expect(() => agentOf([]).agent.recover({ conversation, budget })).toThrow(TypeError);
    expect(() => agentOf([], { budget: { cost: Number.POSITIVE_INFINITY } })).not.toThrow();
  });

  it.each([0, -1, Number.NaN, "5"])("is an amount above 0, not %s", (cost) => {
    expect(() => agentOf([], { prices, budget: { cost: cost as number } })).toThrow(
      new RangeError(`budget.cost is ${cost}; give an amount of money above 0.`),
    );
  });
});

describe("the limits of a conversation", () => {
  const turn = () => [acting(1000), { chunks: "Done.<end>", usage: usage(1100, 10) }];
  const prices = { m: { input: 10, output: 10 } };

  it.each([
    ["steps", 3, "steps_limit", "currentSteps", 3],
    ["tokens", 1190, "token_limit", "totalTokens", 1120],
    ["cost", 0.045, "cost_limit", "totalCost", 0.0424],
  ] as const)("count what all its runs have used: %s", async (name, most, reason, total, used) => {
    const { agent, store } = agentOf([...turn(), ...turn()], { prices, budget: { conversation: { [name]: most } } });
    expect((await agent.ask("go", { conversation })).status).toBe("completed");
    const { provider: _, agent: other } = agentOf([...turn(), ...turn()], {
      store,
      prices,
      budget: { conversation: { [name]: most } },
    });
    const second = await other.ask("go on", { conversation });
    const third = second.status === "stopped" ? second : await other.ask("and on", { conversation });
    expect(third).toMatchObject({ status: "stopped", stop: { reason, context: { of: "conversation" } } });
    expect(third.stop?.context[total]).toBeCloseTo(used, 10);
    expect(third.stop?.message).toMatch(/^The conversation /);
  });

  it("are not those of another conversation or user", async () => {
    const { agent } = agentOf([...turn(), ...turn(), ...turn()], { budget: { conversation: { steps: 2 } } });
    await agent.ask("go", { conversation });
    expect((await agent.ask("go", { conversation: "d" })).status).toBe("completed");
    expect((await agent.ask("go", { conversation, user: "ada" })).status).toBe("completed");
    expect(await agent.ask("go", { conversation })).toMatchObject({
      status: "stopped",
      steps: 0,
      stop: {
        reason: "steps_limit",
        message:
          "The conversation has taken 2 of 2 steps, and the model has not answered yet. The limit is `budget.conversation.steps`: raise it, and go on with a new prompt.",
      },
    });
  });

  it("count in a fork what the past has used that it shares", async () => {
    const { agent, store } = agentOf([...turn(), "Done.<end>"]);
    await agent.ask("go", { conversation });
    const fork = await agent.fork(conversation, { at: (await store.load({ conversation })).length });
    const run = { conversation: fork, budget: { conversation: { tokens: 1200 } } };
    expect((await agent.ask("more", run)).stop?.context).toMatchObject({ totalTokens: 1120, of: "conversation" });
  });

  it("can be given to one run", async () => {
    const { agent } = agentOf([...turn(), ...turn()]);
    await agent.ask("go", { conversation });
    const run = { conversation, budget: { conversation: { steps: 2 } } };
    expect((await agent.ask("go", run)).stop?.reason).toBe("steps_limit");
    expect((await agent.ask("go", { conversation })).status).toBe("completed");
  });
});

it("no limit of a budget holds where all are lifted", async () => {
  const endless = Number.POSITIVE_INFINITY;
  const steps = Array.from({ length: 25 }, (_, n) => acting(100_000 + n));
  const { agent } = agentOf([...steps, "Done."], {
    budget: { steps: endless, tokens: endless, cost: endless, toolCalls: endless },
    prices: { m: { input: 100, output: 100 } },
  });
  expect(await agent.ask("go")).toMatchObject({ status: "completed", steps: 26 });
});
