import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type AgentOptions, type Budget, createAgent, type LimitReached, type RunOptions } from "../../src/index.ts";
import { reactDriver } from "../../src/react.ts";
import { block, conversation, echo, types } from "../support/fixtures.ts";
import { answer, usage } from "../support/react.ts";

const endless = Number.POSITIVE_INFINITY;
const acting = (n: number): ScriptedStep => ({ chunks: block(["echo", { text: `${n}` }]), usage: usage(1000 * n, 10) });
const job = (count: number): ScriptedStep[] => [
  ...Array.from({ length: count }, (_, n) => acting(n + 1)),
  { chunks: "Done.<end>", usage: usage(1000 * (count + 1), 10) },
];

async function played(
  script: readonly ScriptedStep[],
  options: Partial<AgentOptions>,
  atLimit: RunOptions["atLimit"],
  run: RunOptions = {},
) {
  const provider = scripted(script, { model: "m" });
  const store = memoryStore();
  const request = { maxOutputTokens: 50 };
  const agent = createAgent({ provider, store, tools: [echo], request, ...options });
  const reached: LimitReached[] = [];
  const asks: RunOptions["atLimit"] = (at) => {
    reached.push(at);
    return atLimit?.(at);
  };
  const result = await agent.ask("go", { conversation, atLimit: asks, ...run });
  return { agent, result, reached, provider, store, log: await store.load({ conversation }) };
}

describe("where a limit of the budget would end the run", () => {
  const prices = { m: { input: 1000, output: 1000 } };

  it.each<[name: string, budget: Budget, more: (at: LimitReached) => Budget, reason: string]>([
    ["steps", { steps: 3 }, ({ used }) => ({ steps: used.steps + 3 }), "steps_limit"],
    ["tokens", { tokens: 3100 }, ({ used }) => ({ tokens: used.tokens + 3000 }), "token_limit"],
    ["cost", { cost: 10 }, ({ used }) => ({ cost: (used.cost ?? 0) + 20 }), "cost_limit"],
    ["toolCalls", { toolCalls: 3 }, ({ used }) => ({ toolCalls: used.toolCalls + 3 }), "calls_limit"],
    ["conversation.steps", { conversation: { steps: 3 } }, () => ({ conversation: { steps: endless } }), "steps_limit"],
  ])(
    "the host is asked, and the same run goes on with the limits that it gives: %s",
    async (_, budget, more, reason) => {
      const { result, reached, provider, log } = await played(job(7), { budget, prices }, more);
      expect(result).toMatchObject({ status: "completed", text: "Done." });
      expect(reached.map(({ stop }) => stop.reason)).toContain(reason);
      expect(reached[0]).toMatchObject({
        conversation,
        used: { steps: expect.any(Number), seconds: expect.any(Number) },
      });
      expect(reached[0]?.stop.message).toContain("The limit is `budget.");
      provider.assertDone();
      // One prompt, one end, and nothing that tells the model to hurry.
      expect(log.filter((event) => event.type === "user")).toHaveLength(1);
      expect(log.filter((event) => event.type === "record" && event.kind === "run")).toHaveLength(1);
    },
  );

  it.each<[string, RunOptions["atLimit"]]>([
    ["gives none", () => undefined],
    ["gives one that is used up as well", () => ({ steps: 3 })],
  ])("the run ends as it would have if the host %s, and was asked once", async (_, atLimit) => {
    const { result, reached, log } = await played(job(5), { budget: { steps: 3 } }, atLimit);
    expect(result).toMatchObject({ status: "stopped", steps: 3, stop: { reason: "steps_limit" } });
    expect(reached).toHaveLength(1);
    expect(log.at(-1)).toMatchObject({ kind: "run", data: { status: "stopped" } });
  });

  it("the run fails with the cause if the host throws, and with limits that cannot be", async () => {
    const cause = new Error("no terminal");
    const { result } = await played(job(5), { budget: { steps: 3 } }, () => Promise.reject(cause));
    expect(result).toMatchObject({ status: "failed", error: { code: "hook", cause } });
    const { result: wrong } = await played(job(5), { budget: { steps: 3 } }, () => ({ step: 9 }) as Budget);
    expect(wrong).toMatchObject({
      status: "failed",
      error: { code: "hook", message: expect.stringContaining("`step`") },
    });
  });

  it("a cancel ends the run while the host is asked", async () => {
    const leaving = new AbortController();
    const { result } = await played(
      job(5),
      { budget: { steps: 3 } },
      ({ signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {});
          leaving.abort();
        }),
      { signal: leaving.signal },
    );
    expect(result).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
  });

  it("the second request of a step waits for the host, too", async () => {
    const nonsense = (input: number) => ({ chunks: "no decision", usage: usage(input, 10) });
    const { result, reached } = await played(
      [nonsense(3000), answer("Done.")],
      { budget: { tokens: 3060 }, driver: reactDriver() },
      () => ({ tokens: 10_000 }),
    );
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(reached).toHaveLength(1);
  });
});

describe("the time of a run whose host is asked", () => {
  afterEach(() => void vi.useRealTimers());

  const slow = defineTool({
    name: "echo",
    description: "Take forty seconds.",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    async execute({ text }, { signal }) {
      await vi.advanceTimersByTimeAsync(40_000);
      return signal.aborted ? "aborted" : text;
    },
  });

  it("breaks nothing off, is asked about between two steps, and stands still meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { result, reached, log } = await played(job(4), { budget: { seconds: 60 }, tools: [slow] }, async (at) => {
      await vi.advanceTimersByTimeAsync(3_600_000);
      return { seconds: at.used.seconds + 60 };
    });
    expect(result).toMatchObject({ status: "completed", text: "Done.", toolErrors: 0 });
    expect(reached.map(({ stop, used }) => [stop.reason, used.seconds])).toEqual([
      ["time_limit", 80],
      ["time_limit", 160],
    ]);
    expect(JSON.stringify(log)).not.toContain("aborted");
  });

  it("interrupts the run if the host gives no more, and `recover` goes on", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { agent, result, log } = await played(job(3), { budget: { seconds: 60 }, tools: [slow] }, () => undefined);
    expect(result).toMatchObject({ status: "stopped", steps: 2, stop: { reason: "time_limit" } });
    expect(types(log)).not.toContain("cancelled");
    expect(await agent.recover({ conversation, budget: { seconds: endless } }).result).toMatchObject({ text: "Done." });
  });
});
