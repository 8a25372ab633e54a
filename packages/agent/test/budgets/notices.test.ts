import type { RunEvent } from "@cogency/protocol";
import { type ModelEvent, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { StopRun } from "@cogency/tools";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type AgentOptions, createAgent, type RunOptions } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { block, broken, conversation, echo } from "../support/fixtures.ts";
import { usage } from "../support/react.ts";

const endless = Number.POSITIVE_INFINITY;

/** Calls a tool, with arguments of its own, and has used this many tokens. */
const acting = (n: number, input = 10): ScriptedStep => ({
  chunks: block(["echo", { text: `${n}` }]),
  usage: usage(input, 0),
});

async function played(steps: ScriptedStep[], options: Partial<AgentOptions> = {}, run: RunOptions = {}) {
  const provider = scripted(steps, { model: "m", capabilities: { tools: true } });
  const store = memoryStore();
  const heard: RunEvent[] = [];
  const request = { maxOutputTokens: 10 };
  const agent = createAgent({ provider, store, tools: [echo, broken], request, ...options });
  const result = await agent.ask("go", { conversation, on: (event) => heard.push(event), ...run });
  const stored = await store.load({ conversation });
  const notices = stored.flatMap((event) =>
    event.type === "user" && event.origin === "notice" ? [event.content] : [],
  );
  const told = heard.flatMap((event) => (event.type === "notified" ? [event.content] : []));
  expect(told).toEqual(notices);
  return { provider, stored, heard, result, notices, agent };
}

describe("a model whose budget runs low", () => {
  it("is told once, by a stored event, when two steps are left", async () => {
    const steps = Array.from({ length: 6 }, (_, n) => acting(n));
    const { notices, provider, result, stored } = await played(steps, { budget: { steps: 6 } });
    expect(notices).toEqual(["Budget: 2 of 6 steps are left. Finish and answer now."]);
    const said = provider.requests.map(({ messages }) => JSON.stringify(messages).split("Budget: ").length - 1);
    expect(said).toEqual([0, 0, 0, 0, 1, 1]);
    expect(result.stop?.reason).toBe("steps_limit");
    // It stands after the results that the model has not seen yet.
    const at = stored.findIndex((event) => event.type === "user" && event.origin === "notice");
    expect(stored[at - 2]).toMatchObject({ type: "result" });
  });

  it("is not told of steps that were few from the beginning", async () => {
    const { notices } = await played([acting(1), acting(2), acting(3), "Done."], { budget: { steps: 4 } });
    expect(notices).toEqual([]);
  });

  it("is not told while much is left of the usual limits", async () => {
    const steps = Array.from({ length: 16 }, (_, n) => acting(n));
    const { notices, result } = await played([...steps, "Done."], { prices: { m: { input: 1, output: 1 } } });
    expect({ notices, text: result.text }).toEqual({ notices: [], text: "Done." });
  });

  it.each<[string, Partial<AgentOptions>, string]>([
    ["tokens", { budget: { tokens: 10_000 } }, "Budget: 1900 of 10000 tokens are left."],
    [
      "money",
      { budget: { cost: 0.1 }, prices: { m: { input: 10, output: 10 } } },
      "Budget: 0.019 of 0.1 units of money are left.",
    ],
    [
      "tokens of the conversation",
      { budget: { conversation: { tokens: 10_000 } } },
      "Budget of the conversation: 1900 of 10000 tokens are left.",
    ],
  ])("is told once when about 80 %% are used: %s", async (name, options, said) => {
    const inputs = name === "money" ? [2000, 3000, 3100, 500] : [2000, 5000, 8100, 9995];
    const { notices, result } = await played(
      inputs.map((input, n) => acting(n, input)),
      {
        tools: [echo],
        ...options,
      },
    );
    expect(notices).toEqual([`${said} Finish and answer now.`]);
    expect(result.status).toBe("stopped");
  });

  it("is told of calls", async () => {
    const steps = Array.from({ length: 9 }, (_, n) => acting(n));
    const { notices } = await played([...steps, "Done."], { budget: { toolCalls: 10 } });
    expect(notices).toEqual(["Budget: 2 of 10 tool calls are left. Finish and answer now."]);
  });

  it("is told of several limits at once", async () => {
    const steps = Array.from({ length: 5 }, (_, n) => acting(n));
    const { notices } = await played([...steps, "Done."], { budget: { toolCalls: 5, steps: 6 } });
    expect(notices).toEqual([
      "Budget: 2 of 6 steps are left. Finish and answer now.\nBudget: 1 of 5 tool calls are left. Finish and answer now.",
    ]);
  });

  it("may end its turn with `<end>` alone after that, as after results", async () => {
    const steps = Array.from({ length: 4 }, (_, n) => acting(n));
    const { result, notices } = await played([...steps, "<end>"], { budget: { steps: 6 } });
    expect(notices).toHaveLength(1);
    expect(result).toMatchObject({ status: "completed", steps: 5 });
  });

  it("reads it after the results of native calls", async () => {
    const calling = (n: number): ScriptedStep => {
      const call: ModelEvent = { type: "tool_call", id: `${n}`, name: "echo", arguments: `{"text":"${n}"}` };
      return { events: [call] };
    };
    const steps = Array.from({ length: 4 }, (_, n) => calling(n));
    const { provider, result } = await played([...steps, "Done."], { budget: { steps: 6 }, driver: nativeDriver() });
    expect(result.text).toBe("Done.");
    expect(provider.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      "user",
      ...Array.from({ length: 4 }, () => ["assistant", "tool"]).flat(),
      "user",
    ]);
  });

  it("is told again by the next run, which has a budget of its own", async () => {
    const steps = Array.from({ length: 10 }, (_, n) => acting(n));
    const { agent, provider } = await played(steps, { budget: { steps: 5 } });
    await agent.ask("go on", { conversation });
    const last = JSON.stringify(provider.requests.at(-1)?.messages);
    expect(last.split("Budget: 2 of 5 steps").length - 1).toBe(2);
  });
});

describe("a model whose time runs low", () => {
  afterEach(() => void vi.useRealTimers());

  it("is told once", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const slow = (n: number): ScriptedStep => {
      return () => {
        vi.advanceTimersByTime(3000);
        return block(["echo", { text: `${n}` }]);
      };
    };
    const { notices, result } = await played([slow(1), slow(2), slow(3), acting(4), "Done."], {
      budget: { seconds: 10 },
    });
    expect({ notices, text: result.text }).toEqual({
      notices: ["Budget: 1 of 10 seconds are left. Finish and answer now."],
      text: "Done.",
    });
  });
});

describe("calls that keep failing", () => {
  /** Calls that fail, each with other arguments. */
  const failing = (n: number, count = 1) =>
    block(...Array.from({ length: count }, (_, nth): [string, object] => ["echo", { wrong: n * 100 + nth }]));
  const many = (count: number) => Array.from({ length: count }, (_, n) => failing(n));
  const errors = (heard: readonly RunEvent[]) => heard.flatMap((event) => (event.type === "error" ? [event.code] : []));

  it("end the run after eight in a row, also with other arguments, and the model is told after four", async () => {
    const { notices, result, provider, heard, stored } = await played(many(20), { budget: { steps: endless } });
    expect(notices).toEqual([
      "Your last 4 calls all failed. Do something else than before, or answer and say what does not work.",
    ]);
    expect(provider.requests).toHaveLength(8);
    expect(result).toMatchObject({
      status: "stopped",
      toolErrors: 8,
      stop: { reason: "retry_limit", message:
          "The last 8 calls all failed, of at most 8. The limit is `budget.failedCalls`: raise it, and go on with a new prompt.", context: { failedCalls: 8 } },
    });
    expect(errors(heard)).toEqual(["failing_calls"]);
    expect(stored.at(-1)).toMatchObject({ kind: "run", data: { status: "stopped" } });
  });

  it("do so never before the model was told, however many one block holds", async () => {
    const { notices, result } = await played([failing(1, 50), failing(2, 50), failing(3, 50)]);
    expect(notices).toHaveLength(1);
    expect(result).toMatchObject({ steps: 2, stop: { context: { failedCalls: 100 } } });
  });

  it("are forgotten when one succeeds", async () => {
    const steps = [
      ...many(7),
      acting(1),
      ...many(7),
      failing(50, 3).replace("[", '[{"name":"echo","args":{"text":"x"}},'),
    ];
    const { notices, result } = await played([...steps, "Done."]);
    expect(notices).toHaveLength(2);
    expect(result).toMatchObject({ status: "completed", text: "Done." });
  });

  it("are counted up to another limit, which the host chooses", async () => {
    const { result } = await played(many(3), { budget: { failedCalls: 2 } });
    expect(result).toMatchObject({ steps: 2, stop: { reason: "retry_limit" } });
    const { result: endlessly } = await played(many(12), { budget: { failedCalls: endless, steps: 12 } });
    expect(endlessly.stop?.reason).toBe("steps_limit");
    const { result: once } = await played(many(3), { budget: { failedCalls: 1 } });
    expect(once).toMatchObject({ steps: 2, stop: { context: { failedCalls: 2 } } });
  });

  it("begin a new count with each turn", async () => {
    const { agent } = await played([...many(7), "I give up.", ...many(7), "Still."]);
    expect(await agent.ask("try again", { conversation })).toMatchObject({ status: "completed", text: "Still." });
  });

  it("are not polling: the same calls with other results go on, up to the steps", async () => {
    let polls = 0;
    const poll = { ...echo, execute: () => `${++polls} %` };
    const same = block(["echo", { text: "how far?" }]);
    const { result } = await played([...Array.from({ length: 15 }, () => same), "Done."], { tools: [poll] });
    expect(result).toMatchObject({ status: "completed", text: "Done." });
  });
});

describe("where several limits are reached by one step", () => {
  const failing = (n: number) => block(["echo", { wrong: n }]);
  const same = block(["broken", {}]);

  it("the strongest reason counts: steps before failing and repeated calls", async () => {
    const { result } = await played([same, same, same], { budget: { steps: 3, failedCalls: 3, repeats: 3 } });
    expect(result.stop?.reason).toBe("steps_limit");
  });

  it("repeated calls before failing ones, because they say more", async () => {
    const { result, heard } = await played([same, same, same], { budget: { failedCalls: 3, repeats: 3 } });
    expect(result.stop?.message).toMatch(/the same calls with the same results 3 times/);
    expect(heard).toContainEqual(expect.objectContaining({ type: "error", code: "repeated_batch" }));
  });

  it("tokens before failing calls", async () => {
    const budget = { failedCalls: 1, tokens: 3000 };
    const dear = { chunks: failing(2), usage: usage(2995, 0) };
    const { result } = await played([failing(1), dear], { budget, tools: [echo] });
    expect(result.stop?.reason).toBe("token_limit");
  });

  it("an abort by the time before the steps, so that `recover` goes on", async () => {
    const controller = new AbortController();
    const late = { ...echo, execute: () => controller.abort(new DOMException("late", "TimeoutError")) };
    const { result, agent } = await played(
      [acting(1), "Done."],
      {
        tools: [late],
        budget: { steps: 1 },
      },
      { signal: controller.signal },
    );
    expect(result).toMatchObject({ status: "stopped", steps: 1, stop: { reason: "time_limit" } });
    expect(await agent.recover({ conversation }).result).toMatchObject({ status: "completed", text: "Done." });
  });

  it("an answer, and what a tool asks for, before all of them", async () => {
    const { result } = await played([acting(1), "Done."], { budget: { steps: 2 } });
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(result.stop).toBeUndefined();
    const enough = {
      ...echo,
      execute: () => {
        throw new StopRun({ reason: "completed", message: "Enough." });
      },
    };
    const { result: ended } = await played([acting(1)], { tools: [enough], budget: { steps: 1 } });
    expect(ended).toMatchObject({ status: "completed", stop: { reason: "completed", message: "Enough." } });
  });
});
