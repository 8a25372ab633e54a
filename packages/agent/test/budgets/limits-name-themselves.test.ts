import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type AgentOptions, createAgent } from "../../src/index.ts";
import { block, broken, conversation, echo, endless } from "../support/fixtures.ts";
import { usage } from "../support/react.ts";

const acting = (n: number, input = 10): ScriptedStep => ({
  chunks: block(["echo", { text: `${n}` }]),
  usage: usage(input, 10),
});
const many = (make: (n: number) => ScriptedStep) => Array.from({ length: 20 }, (_, n) => make(n));
const prices = { m: { input: 1000, output: 1000 } };
const same = block(["echo", { text: "a" }]);
const failing = (n: number) => block(["broken", { n }]);

interface Row {
  script: ScriptedStep[];
  options: Partial<AgentOptions>;
  /** The value of the limit, as the message says it. */
  value: string;
}

/** One for each limit that can end a run. */
const rows: Readonly<Record<string, Row>> = {
  "budget.steps": { script: many(acting), options: { budget: { steps: 7 } }, value: "7" },
  "budget.tokens": { script: many((n) => acting(n, n * 500)), options: { budget: { tokens: 4321 } }, value: "4321" },
  "budget.cost": { script: many((n) => acting(n, 1000)), options: { prices, budget: { cost: 4.5 } }, value: "4.5" },
  "budget.toolCalls": { script: many(acting), options: { budget: { toolCalls: 6 } }, value: "6" },
  "budget.seconds": { script: [block(["endless", {}])], options: { budget: { seconds: 77 } }, value: "77" },
  "budget.failures": { script: many(() => "<execute>[{]</execute>"), options: { budget: { failures: 4 } }, value: "4" },
  "budget.repeats": { script: many(() => same), options: { budget: { repeats: 5 } }, value: "5" },
  "budget.failedCalls": { script: many(failing), options: { budget: { failedCalls: 6 } }, value: "6" },
  "budget.continuations": {
    script: many(() => "Done.<end>"),
    options: { budget: { continuations: 2 }, hooks: [{ name: "more", afterStep: () => ({ continue: "Again." }) }] },
    value: "2",
  },
  "budget.conversation.steps": {
    script: many(acting),
    options: { budget: { conversation: { steps: 7 } } },
    value: "7",
  },
  "budget.conversation.tokens": {
    script: many((n) => acting(n, n * 500)),
    options: { budget: { conversation: { tokens: 4321 } } },
    value: "4321",
  },
  "budget.conversation.cost": {
    script: many((n) => acting(n, 1000)),
    options: { prices, budget: { conversation: { cost: 4.5 } } },
    value: "4.5",
  },
  "budget.conversation.toolCalls": {
    script: many(acting),
    options: { budget: { conversation: { toolCalls: 6 } } },
    value: "6",
  },
  "request.maxOutputTokens": {
    script: [{ chunks: "Half an", finish: "length" }],
    options: { request: { maxOutputTokens: 123 } },
    value: "123",
  },
};

afterEach(() => void vi.useRealTimers());

describe("a limit that ends a run", () => {
  it.each(Object.entries(rows))("names its option, its value and the way on: %s", async (option, row) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const provider = scripted(row.script, { model: "m" });
    const store = memoryStore();
    const request = { maxOutputTokens: 50 };
    const agent = createAgent({ provider, store, tools: [echo, broken, endless], request, ...row.options });
    let isOver = false;
    const asked = agent.ask("go", { conversation }).finally(() => {
      isOver = true;
    });
    // The run also waits for what no clock hurries, such as signatures: time passes until it is over.
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(100);
      await new Promise(setImmediate);
    }
    const result = await asked;
    const message = result.stop?.message ?? result.error?.message ?? "";
    expect(message).toContain(`\`${option}\``);
    expect(message).toMatch(new RegExp(`\\b${row.value.replace(".", "\\.")}\\b`));
    expect(message).toMatch(/raise (it|`)|`recover` (goes on with it|asks it again)/i);
  });

  it("has a row for each limit of a budget that can end a run", () => {
    const amounts = ["steps", "tokens", "cost", "toolCalls"];
    const limits = [...amounts, "seconds", "failures", "repeats", "failedCalls", "continuations"];
    const options = [...limits, ...amounts.map((name) => `conversation.${name}`)].map((name) => `budget.${name}`);
    expect(new Set(Object.keys(rows))).toEqual(new Set([...options, "request.maxOutputTokens"]));
  });
});

describe("batches that go round in a circle", () => {
  const calling = (text: string) => block(["echo", { text }]);
  const circle = (...texts: string[]) =>
    Array.from({ length: 60 }, (_, n) => calling(texts[n % texts.length] as string));

  it.each([1, 2, 3, 5, 16])("end the run after three rounds with the same results: %i batches", async (length) => {
    const texts = Array.from({ length }, (_, n) => `${n}`);
    const agent = createAgent({ provider: scripted(circle(...texts)), tools: [echo] });
    const { status, steps, stop } = await agent.ask("go");
    expect({ status, steps, reason: stop?.reason }).toEqual({
      status: "stopped",
      steps: 3 * length,
      reason: "retry_limit",
    });
    expect(stop?.context).toEqual({ repeats: 3, ...(length > 1 && { cycle: length }) });
  });

  it("go on as long as one of their results differs", async () => {
    let polls = 0;
    const poll = { ...echo, execute: (args: unknown) => `${(args as { text: string }).text} ${++polls}` };
    const script = [...circle("wait", "status").slice(0, 20), "Done."];
    const agent = createAgent({ provider: scripted(script), tools: [poll] });
    expect(await agent.ask("go")).toMatchObject({ status: "completed", text: "Done." });
  });

  it("may be as many as the host says", async () => {
    const script = [...circle("a", "b").slice(0, 20), "Done."];
    const budget = { repeats: Number.POSITIVE_INFINITY };
    const agent = createAgent({ provider: scripted(script), tools: [echo], budget });
    expect(await agent.ask("go")).toMatchObject({ status: "completed" });
  });
});
