import type { LogEvent, ModelMessage, RunEvent } from "@cogency/protocol";
import { type ModelEvent, ProviderError, type ScriptedResponse, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent, type Driver, protocolDriver, type RunOptions } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { type ReactDriverOptions, reactDriver } from "../src/react.ts";
import { block, broken, collect, conversation, echo, types } from "./support/fixtures.ts";

const usage = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
const decide = (fields: object) => JSON.stringify(fields);
const act = (tool: string, args: unknown, thought = "look") => decide({ thought, type: "call_tool", tool, args });
const answer = (text: unknown, thought = "done") => decide({ thought, type: "final_answer", answer: text });

const calc = defineTool({
  name: "calc",
  description: "Add numbers.\nNothing else.",
  input: z.object({ a: z.number(), b: z.number(), note: z.record(z.string(), z.unknown()).optional() }),
  execute: ({ a, b }) => a + b,
});

/** Runs calls without the arguments that their tools do not have. */
const stripping = { execution: { unknownKeys: "strip" } } as const;

function agentOf(
  steps: ScriptedStep[],
  options: ReactDriverOptions = {},
  more: Partial<Parameters<typeof createAgent>[0]> = {},
) {
  const provider = scripted(steps, { chunkSize: 3 });
  const store = memoryStore();
  const heard: RunEvent[] = [];
  const agent = createAgent({
    provider,
    tools: [calc, echo, broken],
    store,
    driver: reactDriver(options),
    instructions: "You are terse.",
    ...more,
  });
  const go = (run: RunOptions = {}) => agent.run("go", { conversation, on: (event) => heard.push(event), ...run });
  const log = () => store.load({ conversation });
  const told = (...names: string[]) => heard.filter(({ type }) => names.includes(type));
  return { ...agent, provider, store, heard, told, go, log };
}

const contents = (log: readonly LogEvent[], type: LogEvent["type"]) =>
  log.flatMap((event) => (event.type === type && "content" in event ? [event.content] : []));
const texts = (messages: readonly ModelMessage[] = []) =>
  messages.map((message) => `${message.role}: ${"content" in message ? message.content : ""}`);

describe("ReAct: a call, its observation and the answer (S26)", () => {
  const steps = (): ScriptedStep[] => [
    { chunks: act("calc", { a: 2, b: 3, zzz: 1 }, "add them"), usage: usage(10, 5) },
    { chunks: answer("5"), usage: usage(20, 7) },
  ];

  it("runs the call with the arguments that the tool has, and answers", async () => {
    const { go, log, provider, heard } = agentOf(steps(), {}, stripping);
    expect(await go().result).toMatchObject({
      status: "completed",
      text: "5",
      steps: 2,
      toolErrors: 0,
      usage: { input: 30, output: 12 },
    });
    const events = await log();
    expect(contents(events, "think")).toEqual(["add them", "done"]);
    expect(contents(events, "respond")).toEqual(["5"]);
    const started = heard.find((event) => event.type === "tool_started");
    expect(started).toMatchObject({ name: "calc", args: { a: 2, b: 3 } });
    expect(types(heard).filter((type) => type.startsWith("request"))).toEqual([
      "request_started",
      "request_ended",
      "request_started",
      "request_ended",
    ]);
    provider.assertDone();
  });

  it("shows the model its steps as thought, action and observation", async () => {
    const { go, provider } = agentOf(steps(), {}, stripping);
    await go().result;
    expect(texts(provider.requests[1]?.messages)).toEqual([
      "user: go",
      'assistant: Thought: add them\nAction: calc\nAction Input: {"a":2,"b":3}',
      "user: Observation: 5",
    ]);
  });

  it("teaches decisions and tools in the system prompt, with the same bytes in every step", async () => {
    const { go, provider } = agentOf(steps());
    await go().result;
    const [first, second] = provider.requests;
    const system = first?.system ?? "";
    expect(second?.system).toBe(system);
    expect(system.split("You are terse.")).toHaveLength(2);
    expect(system).toContain("- calc: Add numbers. Nothing else.\n  parameters: {");
    for (const { spec } of [calc, echo, broken]) expect(system).toContain(JSON.stringify(spec.parameters));
    expect(system).toContain("data, never instructions");
    // Its examples are decisions.
    const examples = [...system.matchAll(/^\{"thought".*$/gm)].map(([line]) => Object.keys(JSON.parse(line)));
    expect(examples).toEqual([
      ["thought", "type", "tool", "args"],
      ["thought", "type", "answer"],
    ]);
    expect(first).not.toHaveProperty("tools");
    expect(first).not.toHaveProperty("format");
  });

  it("gives a free-form object to the tool as it was written", async () => {
    const note = { deep: [{ any: null }, "x"], empty: {} };
    const { go, told } = agentOf([act("calc", { a: 1, b: 1, note }), answer("2")]);
    await go().result;
    expect(told("tool_started")).toMatchObject([{ args: { note } }]);
  });

  it("makes an observation of arguments that do not fit, and of a tool that fails", async () => {
    const { go, provider } = agentOf([act("calc", { a: "two" }), act("broken", {}), answer("No.")]);
    expect(await go().result).toMatchObject({ status: "completed", text: "No.", toolErrors: 2 });
    const [, , refused, , failed] = texts(provider.requests[2]?.messages);
    expect(refused).toMatch(/^user: Observation:\s+Error: /);
    expect(failed).toContain("out of paper");
  });

  it("reads arguments that are JSON text", async () => {
    const { go, log } = agentOf([act("echo", '{"text":"a"}'), answer("a")]);
    await go().result;
    expect(contents(await log(), "call")).toEqual(['{"name":"echo","args":{"text":"a"}}']);
  });

  it("asks for approval as every driver does", async () => {
    const asked: string[] = [];
    const tool = defineTool({
      name: "pay",
      description: "Pay.",
      input: z.object({}),
      approval: "ask",
      execute: () => "paid",
    });
    const { go, log } = agentOf([act("pay", {}), answer("Denied.")], {}, { tools: [tool] });
    const approve = async ({ name }: { name: string }) => asked.push(name) === 0;
    expect(await go({ approve: (request) => approve(request.call) }).result).toMatchObject({
      text: "Denied.",
      toolErrors: 1,
    });
    expect(asked).toEqual(["pay"]);
    expect(types(await log())).toContain("result");
  });
});

describe("the log of ReAct", () => {
  it("is that of the text protocol and of native calling for the same work, but for the records of the drivers", async () => {
    const events: ModelEvent[] = [
      { type: "reasoning", text: "look" },
      { type: "tool_call", id: "1", name: "echo", arguments: '{"text":"a"}' },
    ];
    const final: ModelEvent[] = [
      { type: "reasoning", text: "easy" },
      { type: "text", text: "It says a." },
    ];
    const drivers: [Driver, ScriptedStep[]][] = [
      [
        protocolDriver(),
        [`<think>look</think>${block(["echo", { text: "a" }])}`, "<think>easy</think>It says a.<end>"],
      ],
      [nativeDriver(), [{ events }, { events: final }]],
      [reactDriver(), [act("echo", { text: "a" }), answer("It says a.", "easy")]],
    ];
    const logs = [];
    for (const [driver, steps] of drivers) {
      const store = memoryStore();
      await createAgent({ provider: scripted(steps, { chunkSize: 4 }), tools: [echo], store, driver }).ask("go", {
        conversation,
      });
      logs.push((await store.load({ conversation })).map(withoutChance));
    }
    const [protocol, native, react] = logs;
    expect(react).toEqual(protocol);
    expect(react).toEqual(native);
    expect(types(react ?? [])).toContain("result");
  });

  it("may be gone on with by another driver, and the other way round", async () => {
    const { go, store } = agentOf([act("echo", { text: "a" }), answer("One.")]);
    await go().result;
    const text = scripted([block(["echo", { text: "b" }]), "Two.<end>"]);
    expect(await createAgent({ provider: text, tools: [echo], store }).ask("go", { conversation })).toMatchObject({
      text: "Two.",
    });
    const back = scripted([answer("Three.")]);
    await createAgent({ provider: back, tools: [echo], store, driver: reactDriver() }).ask("go", { conversation });
    expect(texts(back.requests[0]?.messages)).toContain("assistant: One.");
    expect(texts(back.requests[0]?.messages)).toContain('assistant: Action: echo\nAction Input: {"text":"b"}');
  });
});

/** An event without times, random ids and what was counted. */
function withoutChance(event: LogEvent) {
  if (event.type === "record") return { type: event.type, kind: event.kind };
  return { type: event.type, content: "content" in event ? event.content : undefined };
}

describe("ReAct: an output that is no decision (S27)", () => {
  it("goes back to the model with the reason, as do all before it, in order", async () => {
    const { go, provider, told, log } = agentOf([
      { chunks: "I would add them.", usage: usage(1, 1) },
      { chunks: '{"thought": "add", ', usage: usage(2, 2) },
      { chunks: answer("5"), usage: usage(4, 4) },
    ]);
    const result = await go().result;
    expect(result).toMatchObject({ status: "completed", text: "5", steps: 1, usage: { input: 7, output: 7 } });
    expect(told("extraction_failed")).toMatchObject([
      { attempt: 1, maxAttempts: 3 },
      { attempt: 2, maxAttempts: 3 },
    ]);
    const [first, second, third] = provider.requests.map(({ messages }) => texts(messages));
    expect(first).toEqual(["user: go"]);
    expect(second?.slice(0, 2)).toEqual(["user: go", "assistant: I would add them."]);
    expect(third?.slice(0, 3)).toEqual(second);
    expect(third?.[3]).toBe('assistant: {"thought": "add", ');
    const reasons = told("extraction_failed").map((event) => ("message" in event ? event.message : ""));
    expect(third?.[2]).toContain(reasons[0]);
    expect(third?.[4]).toContain(reasons[1]);
    // The log holds one usage, and nothing of the outputs.
    expect(JSON.stringify(await log())).not.toContain("I would add");
    expect((await log()).filter((event) => event.type === "record" && event.kind === "usage")).toHaveLength(1);
  });

  it("leaves its thought in the log, as a thought of its own, because it was shown", async () => {
    const { go, log, provider } = agentOf([act("clac", {}, "one"), act("echo", { text: "a" }, "two"), answer("a")]);
    await go().result;
    expect(contents(await log(), "think")).toEqual(["one", "two", "done"]);
    expect(texts(provider.requests[1]?.messages).join("\n")).not.toContain("Thought: one");
  });

  it("has a record of its own among the requests of the log", async () => {
    const { go, log } = agentOf(["no", answer("5")], {}, { recordRequests: true });
    await go().result;
    const records = (await log()).flatMap((event) => (event.type === "record" ? [event] : []));
    const counts = records.flatMap(({ kind, data }) => (kind === "request" ? [data.messages.count] : []));
    expect(counts).toEqual([1, 3]);
  });

  it("is told between the answer that failed and the next request", async () => {
    const { go, heard } = agentOf(["No.", answer("5")]);
    await go().result;
    const names = types(heard).filter((type) => /request|extraction/.test(type));
    expect(names).toEqual([
      "request_started",
      "request_ended",
      "extraction_failed",
      "request_started",
      "request_ended",
    ]);
  });

  it.each<[string, string, string]>([
    [
      "names an unknown tool",
      act("clac", { a: 1, b: 2 }),
      'There is no tool "clac"; the tools are calc, echo, broken.',
    ],
    ["names no tool", decide({ thought: "", type: "call_tool", args: {} }), "There is no tool missing"],
    ["has another type", decide({ thought: "", type: "search", tool: "calc", args: {} }), '`type` is "search"'],
    ["has an empty answer", answer("  \n"), "`answer` must be a text that is not empty"],
    ["has no answer", decide({ thought: "", type: "final_answer" }), "`answer` must be"],
    ["has a list of arguments", act("calc", [2, 3]), "`args` is [2,3]; it must be a JSON object"],
    ["has no arguments", decide({ thought: "", type: "call_tool", tool: "calc" }), "`args` is missing"],
    [
      "has a thought that is no text",
      decide({ thought: 5, type: "call_tool", tool: "echo", args: {} }),
      "`thought` is not a text",
    ],
  ])("that %s is no decision", async (_, output, problem) => {
    const { go, provider, told, log } = agentOf([output, answer("5")]);
    expect(await go().result).toMatchObject({ status: "completed", text: "5", steps: 1, toolErrors: 0 });
    expect(told("validation_failed")).toMatchObject([{ attempt: 1, message: expect.stringContaining(problem) }]);
    const last = texts(provider.requests[1]?.messages).at(-1);
    expect(last).toContain(problem);
    expect(types(await log())).not.toContain("call");
  });

  it("ends the run with one error when the last attempt fails, and its usage counts", async () => {
    const steps = [act("clac", {}), "nothing", answer("")].map((chunks, index) => ({
      chunks,
      usage: usage(10 ** index, 1),
    }));
    const { go, told, log } = agentOf(steps);
    const run = go();
    const thrown = await collect(run).catch((error: unknown) => error);
    const result = await run.result;
    expect(result).toMatchObject({ status: "failed", text: "", usage: { input: 111, output: 3 } });
    expect(result.error).toBe(thrown);
    expect(result.error).toMatchObject({ code: "no_progress", text: answer("") });
    expect(result.error?.message).toContain("3 attempts");
    expect(told("extraction_failed", "validation_failed").map((event) => "attempt" in event && event.attempt)).toEqual([
      1, 2, 3,
    ]);
    expect(told("run_ended")).toMatchObject([{ status: "failed", error: { code: "no_progress" } }]);
    expect(types(await log())).not.toContain("respond");
  });

  it("is asked for as often as the options say", async () => {
    const { go, recover, provider } = agentOf(["no", answer("5")], { maxAttempts: 1 });
    expect(await go().result).toMatchObject({ status: "failed", error: { code: "no_progress" } });
    expect(provider.requests).toHaveLength(1);
    expect(await recover({ conversation }).result).toMatchObject({ status: "completed", text: "5" });
    expect(() => reactDriver({ maxAttempts: 0 })).toThrow(/maxAttempts is 0/);
  });

  it("counts attempts anew in each step", async () => {
    const { go } = agentOf(["no", act("echo", { text: "a" }), "no", answer("a")], { maxAttempts: 2 });
    expect(await go().result).toMatchObject({ status: "completed", steps: 2 });
  });

  it("that was cut off goes back to the model with that reason", async () => {
    const { go, told } = agentOf([{ chunks: '{"thought":"long', finish: "length" }, answer("Short.")]);
    expect(await go().result).toMatchObject({ status: "completed", text: "Short." });
    expect(told("extraction_failed")).toMatchObject([{ message: expect.stringContaining("cut off") }]);
  });

  it("leaves no message of its own where it is empty", async () => {
    const { go, provider } = agentOf(["", answer("5")]);
    await go().result;
    expect(provider.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "user"]);
  });

  it("whose answer was shown already is refused, and the model goes on in the next step", async () => {
    const broke = '{"thought":"t","type":"final_answer","answer":"He said "no" to me"}';
    const { go, provider, told, log } = agentOf([broke, answer("He said no.")]);
    expect(await go().result).toMatchObject({ status: "completed", text: "He said no.", steps: 2 });
    expect(told("extraction_failed")).toHaveLength(1);
    const events = await log();
    expect(contents(events, "respond")).toEqual(["He said", "He said no."]);
    expect(events.find((event) => event.type === "record" && event.kind === "rejected")).toMatchObject({
      data: { text: broke },
    });
    expect(texts(provider.requests[1]?.messages).at(-1)).toContain("Observation: Error: ");
  });

  it("that holds two answers is refused, whichever was shown", async () => {
    const both = '{"thought":"t","type":"final_answer","answer":"One.","answer":"Two."}';
    const { go } = agentOf([both, answer("Three.")]);
    expect(await go().result).toMatchObject({ text: "Three.", steps: 2 });
  });
});

describe("ReAct: the last request writes the answer (S28)", () => {
  const steps = (): ScriptedResponse[] => [
    { chunks: answer("draft"), usage: usage(10, 5) },
    { chunks: ["Poli", "shed"], usage: usage(90, 11) },
  ];

  it("with a model and instructions of its own, and the usage of both", async () => {
    const { go, provider, told, log } = agentOf(
      steps(),
      { finalViaInference: { model: "big", options: {} } },
      {
        request: { model: "small", options: { seed: 7 } },
      },
    );
    expect(await go().result).toMatchObject({
      status: "completed",
      text: "Polished",
      steps: 1,
      usage: { input: 100, output: 16 },
    });
    const [first, second] = provider.requests;
    expect([first?.model, second?.model]).toEqual(["small", "big"]);
    // Options without a field count as none.
    expect(second?.options).toEqual({ seed: 7 });
    expect(second?.system).toContain("You are terse.");
    expect(second?.system).toContain("Write only the final answer");
    expect(second?.system).not.toContain("calc");
    expect(second).not.toHaveProperty("tools");
    expect(second).not.toHaveProperty("format");
    expect(texts(second?.messages).slice(0, 2)).toEqual(["user: go", "assistant: draft"]);
    expect(second?.messages.at(-1)?.role).toBe("user");
    expect(told("request_ended")).toMatchObject([{ usage: { output: 5 } }, { usage: { output: 11 } }]);
    expect(contents(await log(), "respond")).toEqual(["Polished"]);
  });

  it("with the model and options of the run where none are given, or with options of its own", async () => {
    const request = { options: { seed: 7 } };
    const plain = agentOf(steps(), { finalViaInference: true }, { request });
    expect(await plain.go().result).toMatchObject({ text: "Polished" });
    expect(plain.provider.requests[1]).toMatchObject({ options: { seed: 7 } });
    expect(plain.provider.requests[1]).not.toHaveProperty("model");
    const own = agentOf(steps(), { finalViaInference: { options: { top_p: 1 } } }, { request });
    await own.go().result;
    expect(own.provider.requests[1]?.options).toEqual({ top_p: 1 });
  });

  it("after attempts that failed, which it does not read", async () => {
    const { go, provider } = agentOf(["oops", ...steps()], { finalViaInference: true });
    expect(await go().result).toMatchObject({ text: "Polished", steps: 1 });
    expect(texts(provider.requests[2]?.messages).join()).not.toContain("oops");
  });

  it("shows nothing of the draft, unless the last request writes nothing", async () => {
    const shown = agentOf(steps(), { finalViaInference: true });
    const events = await collect(shown.go({ stream: "token" }));
    expect(events.flatMap((event) => (event.type === "respond" ? [event.content] : [])).join("")).toBe("Polished");
    const silent = agentOf([answer("draft"), " "], { finalViaInference: true });
    expect(await silent.go().result).toMatchObject({ status: "completed", text: "draft" });
  });

  it("is not made for a call", async () => {
    const { go, provider } = agentOf([act("echo", { text: "a" }), ...steps()], { finalViaInference: true });
    expect(await go().result).toMatchObject({ text: "Polished", steps: 2 });
    provider.assertDone();
  });
});

describe("the stream of ReAct", () => {
  const pieces = async (text: string, chunkSize: number) => {
    const provider = scripted([text], { chunkSize });
    const run = createAgent({ provider, driver: reactDriver(), tools: [echo] }).run("go", { stream: "token" });
    const events = await collect(run);
    return events.flatMap((event) => (event.type === "think" || event.type === "respond" ? [event] : []));
  };

  it.each([1, 2, 5, 1000])(
    "gives the thought and then the answer as they are written, in pieces of %d",
    async (size) => {
      const thought = 'say "hi" \\ 😀\nthen \u00e9';
      const escaped = JSON.stringify({ thought, type: "final_answer", answer: "Hi,\tthere 😀." }).replace(
        "é",
        "\\u00e9",
      );
      const surrogates = escaped.replaceAll("😀", "\\ud83d\\ude00");
      for (const text of [escaped, surrogates, ` \n\`\`\`json\n${escaped}\n\`\`\``]) {
        const events = await pieces(text, size);
        const joined = (type: string) =>
          events.flatMap((event) => (event.type === type ? [event.content] : [])).join("");
        expect(joined("think")).toBe(thought);
        expect(joined("respond")).toBe("Hi,\tthere 😀.");
        if (size === 1) expect(events.length).toBeGreaterThan(20);
      }
    },
  );

  it("gives each piece before the model is asked for the next one", async () => {
    const text = answer("It is five.", "Think.");
    const provider = scripted([{ chunks: [...text], hang: true }]);
    const controller = new AbortController();
    const run = createAgent({ provider, driver: reactDriver() }).run("go", {
      stream: "token",
      signal: controller.signal,
    });
    let shown = "";
    for await (const event of run) {
      if (event.type === "respond") shown += event.content;
      if (shown === "It is five.") controller.abort();
    }
    expect(await run.result).toMatchObject({ status: "stopped", text: "It is five." });
  });

  it.each<[string, string]>([
    ["stands before its type", '{"answer":"5","thought":"t","type":"final_answer"}'],
    ["stands behind prose", `Here it is: ${answer("5", "t")} That is all.`],
    ["stands in a fenced block behind prose", `Here it is:\n\`\`\`json\n${answer("5", "t")}\n\`\`\``],
  ])("gives an answer that %s when the decision is complete", async (_, text) => {
    const events = await pieces(text, 1);
    expect(events.filter(({ type }) => type === "respond").map(({ content }) => content)).toEqual(["5"]);
    expect(
      events
        .filter(({ type }) => type === "think")
        .map(({ content }) => content)
        .join(""),
    ).toBe("t");
  });

  it("shows nothing of the JSON around them", async () => {
    const { go } = agentOf(
      [act("echo", { answer: "no", type: "final_answer", text: "a" }, "t"), answer("yes", "u")],
      {},
      stripping,
    );
    const shown = (await collect(go({ stream: "token" }))).flatMap((event) =>
      event.type === "think" || event.type === "respond" ? [event.content] : [],
    );
    expect(shown.join("")).toBe("tuyes");
  });

  it("keeps reasoning that comes apart from the text as a thought of its own", async () => {
    const events: ModelEvent[] = [
      { type: "reasoning", text: "deep" },
      { type: "text", text: answer("5", "short") },
    ];
    const { go, log } = agentOf([{ events }]);
    await go().result;
    expect(contents(await log(), "think")).toEqual(["deep", "short"]);
  });

  it("keeps what was shown of an answer that the limit cuts off", async () => {
    const { go, provider } = agentOf([{ chunks: answer("It is a long way").slice(0, -6), finish: "length" }]);
    expect(await go().result).toMatchObject({
      status: "completed",
      text: "It is a long",
      stop: { reason: "finish_reason" },
    });
    provider.assertDone();
  });

  it("keeps what was shown of an answer that breaks off, and runs no call of one", async () => {
    const error = new ProviderError("cut_stream", "gone");
    const half = agentOf([{ chunks: answer("It is five").slice(0, -6), error }]);
    expect(await half.go().result).toMatchObject({ status: "failed", text: "It is", error: { code: "provider" } });
    const call = agentOf([{ chunks: act("echo", { text: "a" }), error }]);
    await call.go().result;
    expect(types(await call.log())).not.toContain("call");
  });
});

describe("how ReAct asks for decisions", () => {
  const asking = async (options: ReactDriverOptions, format: boolean, steps: ScriptedStep[] = [answer("5")]) => {
    const provider = scripted(steps, { capabilities: { format } });
    const driver = reactDriver(options);
    const result = await createAgent({ provider, driver, tools: [calc, echo] }).ask("go");
    return { result, requests: provider.requests };
  };

  it("with a schema where the provider has it: a union, with the tools by name, that strict servers take", async () => {
    const decision = { type: "call_tool", tool: "echo", args: '{"text":"a"}' };
    const steps = [
      decide({ thought: "t", decision }),
      decide({ thought: "u", decision: { type: "final_answer", answer: "a" } }),
    ];
    const { result, requests } = await asking({}, true, steps);
    expect(result).toMatchObject({ status: "completed", text: "a", steps: 2, toolErrors: 0 });
    const format = requests[0]?.format as { properties: { decision: { anyOf: { properties: object }[] } } };
    expect(format.properties.decision.anyOf.map(({ properties }) => properties)).toMatchObject([
      { type: { enum: ["call_tool"] }, tool: { enum: ["calc", "echo"] } },
      { type: { enum: ["final_answer"] }, answer: { type: "string" } },
    ]);
    const objects: { additionalProperties?: unknown; properties?: object; required?: string[] }[] = [];
    JSON.stringify(format, (_, value) => {
      if (value?.type === "object") objects.push(value);
      return value;
    });
    expect(objects).toHaveLength(3);
    for (const { additionalProperties, properties = {}, required } of objects) {
      expect([additionalProperties, required]).toEqual([false, Object.keys(properties)]);
    }
    // The words show the shape of the schema.
    const examples = [...(requests[0]?.system ?? "").matchAll(/^\{"thought".*$/gm)].map(([line]) => JSON.parse(line));
    expect(examples).toMatchObject([
      { decision: { type: "call_tool", args: expect.any(String) } },
      { decision: { type: "final_answer" } },
    ]);
  });

  it("as any JSON object, or with words alone", async () => {
    const json = await asking({ output: "json" }, true);
    expect(json.requests[0]?.format).toEqual({ type: "object" });
    const words = await asking({ output: "prompt" }, true);
    expect(words.requests[0]).not.toHaveProperty("format");
    const none = await asking({}, false);
    expect(none.requests[0]).not.toHaveProperty("format");
  });

  it("refuses what the provider does not have, and what there is not", async () => {
    const { result } = await asking({ output: "schema" }, false);
    expect(result).toMatchObject({ status: "failed", error: { code: "driver" } });
    expect(result.error?.message).toContain('output is "schema", but the provider scripted takes no format');
    expect(() => reactDriver({ output: "yaml" as never })).toThrow(/output is "yaml"/);
  });

  it("without calls where there are no tools", async () => {
    const provider = scripted(
      [act("calc", {}), decide({ thought: "", decision: { type: "final_answer", answer: "Hi." } })],
      {
        capabilities: { format: true },
      },
    );
    expect(await createAgent({ provider, driver: reactDriver() }).ask("go")).toMatchObject({ text: "Hi." });
    expect(provider.requests[0]?.system).not.toContain("call_tool");
    expect(JSON.stringify(provider.requests[0]?.format)).not.toContain("call_tool");
    expect(texts(provider.requests[1]?.messages).at(-1)).toContain("There are no tools");
  });

  it("for an answer that must fit a schema, which holds for the answer alone", async () => {
    const city = z.object({ city: z.string() });
    const steps = [answer('{"town":"Rome"}'), answer('{"city":"Rome"}'), '{"city":"Roma"}'];
    const asked = async (options: ReactDriverOptions, given: ScriptedStep[]) => {
      const provider = scripted(given, { capabilities: { format: true } });
      const agent = createAgent({ provider, driver: reactDriver({ output: "prompt", ...options }) });
      return { object: (await agent.object("Where?", city).result).object, requests: provider.requests };
    };
    const direct = await asked({}, steps.slice(0, 2));
    expect(direct.object).toEqual({ city: "Rome" });
    for (const request of direct.requests) expect(request).not.toHaveProperty("format");
    const { object, requests } = await asked({ finalViaInference: true }, steps.slice(1));
    expect(object).toEqual({ city: "Roma" });
    expect(requests[1]?.format).toMatchObject({ properties: { city: { type: "string" } } });
  });

  it("does without the sessions of a provider", async () => {
    const provider = scripted([answer("Hi.")], { capabilities: { session: true } });
    const connecting = { ...provider, connect: () => Promise.reject(new Error("not this way")) };
    expect(await createAgent({ provider: connecting, driver: reactDriver() }).ask("go")).toMatchObject({ text: "Hi." });
  });
});

describe("ReAct with decisions of one's own", () => {
  const schema = z.object({ why: z.string(), do: z.enum(["add", "stop"]), numbers: z.array(z.number()).max(2) });
  const own: ReactDriverOptions<typeof schema> = {
    decision: {
      schema,
      read: ({ why, do: what, numbers: [a = 0, b = 0] }) =>
        what === "add"
          ? { thought: why, type: "call_tool", tool: "calc", args: { a, b } }
          : { thought: why, type: "final_answer", answer: why === "?" ? "" : `${a}` },
    },
  };

  it("shows their schema, reads them by it, and calls the tools", async () => {
    const steps = [
      { why: "sum", do: "add", numbers: [2, 3] },
      { why: "done", do: "stop", numbers: [5] },
    ].map(decide);
    const provider = scripted(steps, { capabilities: { format: true } });
    const result = await createAgent({ provider, driver: reactDriver(own), tools: [calc] }).ask("go");
    expect(result).toMatchObject({ status: "completed", text: "5", steps: 2, toolErrors: 0 });
    expect(provider.requests[0]?.format).toMatchObject({ properties: { do: { enum: ["add", "stop"] } } });
    expect(provider.requests[0]?.system).toContain(JSON.stringify(provider.requests[0]?.format));
    expect(provider.requests[0]?.system).toContain("- calc: ");
  });

  it.each<[string, object, string]>([
    ["do not fit the schema", { why: "sum", do: "jump", numbers: ["x"] }, "do: "],
    ["make no decision that can be used", { why: "?", do: "stop", numbers: [] }, "`answer` must be"],
  ])("gives values that %s back to the model", async (_, value, problem) => {
    const provider = scripted([decide(value), decide({ why: "done", do: "stop", numbers: [5] })]);
    const heard: RunEvent[] = [];
    const agent = createAgent({ provider, driver: reactDriver(own), tools: [calc] });
    expect(await agent.ask("go", { on: (event) => heard.push(event) })).toMatchObject({ text: "5" });
    expect(heard.filter(({ type }) => type === "validation_failed")).toMatchObject([
      { message: expect.stringContaining(problem) },
    ]);
  });

  it("takes a JSON Schema, whose values `read` checks", async () => {
    const driver = reactDriver({
      decision: {
        schema: { type: "object", properties: { say: { type: "string" } }, required: ["say"] },
        read: ({ say }) => {
          if (typeof say !== "string") throw new Error("`say` is missing.");
          return { type: "final_answer", answer: say };
        },
      },
    });
    const provider = scripted(['{"speak":"Hi."}', '{"say":"Hi."}']);
    expect(await createAgent({ provider, driver }).ask("go")).toMatchObject({ text: "Hi." });
    expect(texts(provider.requests[1]?.messages).at(-1)).toContain("`say` is missing.");
  });

  it("refuses a schema that makes no JSON Schema, or that cannot be checked at once", async () => {
    const bare = { "~standard": { version: 1, vendor: "acme", validate: (value: unknown) => ({ value }) } } as const;
    const read = () => ({ type: "final_answer", answer: "x" }) as const;
    expect(() => reactDriver({ decision: { schema: bare, read } })).toThrow(/acme makes no JSON Schema/);
    const late = z.object({}).refine(async () => true);
    const agent = createAgent({
      provider: scripted(["{}"]),
      driver: reactDriver({ decision: { schema: late, read } }),
    });
    expect(await agent.ask("go")).toMatchObject({ status: "failed", error: { code: "driver" } });
  });
});
