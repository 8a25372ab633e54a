import { type LogEvent, parseResults, type RunEvent } from "@cogency/protocol";
import { type ModelEvent, ProviderError, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent, protocolDriver, type RunOptions } from "../src/index.ts";
import { type NativeDriverOptions, nativeDriver } from "../src/native.ts";
import { block, broken, collect, conversation, echo, types } from "./support/fixtures.ts";

const capabilities = { tools: true };

/** The events of a native call. */
function call(name: string, args: unknown, id = "toolu_1", index = 0): ModelEvent[] {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  const half = Math.ceil(text.length / 2);
  return [
    { type: "tool_call_delta", index, id, name, arguments: text.slice(0, half) },
    { type: "tool_call_delta", index, arguments: text.slice(half) },
    { type: "tool_call", id, name, arguments: text },
  ];
}

const said = (text: string): ModelEvent => ({ type: "text", text });
const thought = (text: string): ModelEvent => ({ type: "reasoning", text });
const stop: ModelEvent = { type: "finish", reason: "stop" };
const called: ModelEvent = { type: "finish", reason: "tool_calls" };

function agentOf(steps: ScriptedStep[], options: NativeDriverOptions = {}, store = memoryStore()) {
  const provider = scripted(steps, { capabilities });
  const agent = createAgent({ provider, tools: [echo, broken], store, driver: nativeDriver(options) });
  const run = (more: RunOptions = {}) => agent.run("go", { conversation, ...more });
  return { ...agent, provider, store, go: run };
}

const twoSteps: ScriptedStep[] = [
  { events: [thought("look"), said("Looking."), ...call("echo", { text: "a" }), called] },
  { events: [said("It says "), said("a. "), stop] },
];

describe("the driver of native tool calling", () => {
  it("gives the events that the text protocol gives for the same work, and the same log", async () => {
    const native = agentOf(twoSteps);
    const events = await collect(native.go());
    const texts = [`<think>look</think>Looking.${block(["echo", { text: "a" }])}`, "It says a.<end>"];
    const store = memoryStore();
    const text = createAgent({ provider: scripted(texts), tools: [echo, broken], store, driver: protocolDriver() });
    const others = await collect(text.run("go", { conversation }));
    expect(types(events)).toEqual(types(others).filter((type) => type !== "end"));
    const plain = (log: readonly LogEvent[]) =>
      log
        .filter(({ type }) => type !== "record")
        .map((event) => ({ type: event.type, content: "content" in event ? event.content : undefined }));
    expect(plain(await native.store.load({ conversation }))).toEqual(plain(await store.load({ conversation })));
  });

  it("sends tools and calls in the provider's own fields, and results by their ids", async () => {
    const { provider, go } = agentOf(twoSteps);
    expect(await go().result).toMatchObject({ status: "completed", text: "It says a.", steps: 2 });
    const [first, second] = provider.requests;
    expect(first?.tools?.map(({ name }) => name)).toEqual(["echo", "broken"]);
    expect(first?.toolChoice).toBeUndefined();
    expect(second?.messages).toMatchObject([
      { role: "user", content: "go" },
      { role: "assistant", content: "Looking.", calls: [{ name: "echo", args: { text: "a" } }] },
      { role: "tool", results: [{ name: "echo", content: "a" }] },
    ]);
    const [, asked, answered] = second?.messages ?? [];
    const id = asked?.role === "assistant" ? asked.calls?.[0]?.id : undefined;
    // Minted by the executor, not the provider's own.
    expect(id).toMatch(/^call_\w{20}$/);
    expect(answered).toMatchObject({ results: [{ id }] });
  });

  it("runs the calls of one message side by side, and answers them in call order", async () => {
    const events = [...call("echo", { text: "a" }, "1", 0), ...call("broken", {}, "2", 1), called];
    const { store, go } = agentOf([{ events }, "Done."]);
    expect(await go().result).toMatchObject({ status: "completed", toolErrors: 1 });
    const [result] = await store.load({ conversation }, { types: ["result"] });
    expect(result?.type === "result" && parseResults(result.content)).toMatchObject([
      { tool: "echo", status: "success" },
      { tool: "broken", status: "failure", content: expect.stringContaining("out of paper") },
    ]);
  });

  it("gives arguments as they are written, with the id that the call will have", async () => {
    const { go } = agentOf(twoSteps, { callDeltas: true });
    const events = await collect(go({ stream: "token" }));
    const deltas = events.filter((event) => event.type === "call_delta");
    expect(deltas.map(({ content }) => content).join("")).toBe('{"text":"a"}');
    const made = events.find((event) => event.type === "call");
    expect(deltas.map(({ id }) => id)).toEqual([made?.id, made?.id]);
    expect(deltas[0]?.name).toBe("echo");
  });

  it.each<[string, NativeDriverOptions["toolChoice"], unknown[]]>([
    ["auto", "auto", [undefined, undefined]],
    ["required, until the first step is over", "required", ["required", undefined]],
    ["one tool, until the first step is over", { name: "echo" }, [{ name: "echo" }, undefined]],
    [
      "what a function says",
      ({ step }) => (step === 1 ? { name: "echo" } : "required"),
      [{ name: "echo" }, "required"],
    ],
  ])("chooses %s", async (_, toolChoice, choices) => {
    const { provider, go } = agentOf(twoSteps, { toolChoice });
    await go().result;
    expect(provider.requests.map((request) => request.toolChoice)).toEqual(choices);
  });

  it("says to the provider that none may be called", async () => {
    const { provider, go } = agentOf(["Fine."], { toolChoice: "none" });
    expect(await go().result).toMatchObject({ text: "Fine." });
    expect(provider.requests[0]).toMatchObject({ toolChoice: "none", tools: [{ name: "echo" }, { name: "broken" }] });
  });

  it("sends neither tools nor a choice where the agent has none", async () => {
    const provider = scripted(["Fine."], { capabilities });
    await createAgent({ provider, driver: nativeDriver({ toolChoice: "required" }) }).ask("go");
    expect(provider.requests[0]).not.toHaveProperty("tools");
    expect(provider.requests[0]).not.toHaveProperty("toolChoice");
  });

  it("runs no call where none may be called, and says so to the model", async () => {
    const steps = [{ events: [...call("echo", { text: "a" }), called] }, { events: [said("Fine."), stop] }];
    const { provider, store, go } = agentOf(steps, { toolChoice: "none" });
    expect(await go().result).toMatchObject({ status: "completed", text: "Fine." });
    expect(types(await store.load({ conversation }))).not.toContain("call");
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain("No tool may be called now");
  });

  it("begins every turn with the choice, also after earlier turns", async () => {
    const { provider, go, run } = agentOf([...twoSteps, ...twoSteps], { toolChoice: "required" });
    await go().result;
    await run("again", { conversation }).result;
    expect(provider.requests.map(({ toolChoice }) => toolChoice)).toEqual([
      "required",
      undefined,
      "required",
      undefined,
    ]);
  });

  it("refuses a choice that is none, or names a tool that the model does not have", async () => {
    expect(() => nativeDriver({ toolChoice: "any" as never })).toThrow(/toolChoice is "any"/);
    const { go } = agentOf([], { toolChoice: { name: "shell" } });
    const { status, error } = await go().result;
    expect([status, error?.code]).toEqual(["failed", "driver"]);
    expect(error?.message).toContain('names "shell"; the model has echo, broken');
  });

  describe.each<[string, string, boolean]>([
    ["the arguments of a call", '{"text":"a"}', true],
    ["them in another order and with spaces", ' { "text" : "a" }\n', true],
    ["other values", '{"text":"b"}', false],
    ["them in a fence", '```json\n{"text":"a"}\n```', true],
    ["them in a fence, and more", '```json\n{"text":"a"}\n```\nSo.', false],
    ["a list", "[1,2]", false],
    ["prose that holds them", 'I call it with {"text":"a"}', false],
    ["only the beginning of them", '{"text":', false],
  ])("text that is %s", (_, text, isLeaked) => {
    it(isLeaked ? "is left out, and that is told" : "is text", async () => {
      const heard: RunEvent[] = [];
      const events = [...text].map(said);
      const { store, go } = agentOf([{ events: [...events, ...call("echo", { text: "a" }), called] }, "Done."]);
      await go({ on: (event) => heard.push(event) }).result;
      const log = await store.load({ conversation });
      const responses = log.flatMap((event) => (event.type === "respond" ? [event.content] : []));
      expect(responses).toEqual(isLeaked ? ["Done."] : [text.trim(), "Done."]);
      const told = heard.filter((event) => event.type === "args_leaked");
      expect(told).toMatchObject(isLeaked ? [{ name: "echo" }] : []);
    });
  });

  it("keeps `{}` as text beside a call without arguments", async () => {
    const { store, go } = agentOf([{ events: [said("{}"), ...call("broken", {}), called] }, "Done."]);
    await go().result;
    const log = await store.load({ conversation });
    expect(log.flatMap((event) => (event.type === "respond" ? [event.content] : []))).toEqual(["{}", "Done."]);
  });

  it("gives text at once where it cannot be leaked arguments", async () => {
    const { go } = agentOf([{ events: [said("Hello "), said("you"), stop] }]);
    const events = await collect(go({ stream: "token" }));
    expect(events.flatMap((event) => (event.type === "respond" ? [event.content] : []))).toEqual(["Hello", " you"]);
  });

  it.each<[string, ModelEvent[], string]>([
    ["arguments that are no JSON", [...call("echo", '{"text":'), called], "malformed_arguments"],
    ["arguments that are a list", [...call("echo", "[1]"), called], "malformed_arguments"],
    [
      "a message that was cut off",
      [...call("echo", { text: "a" }), { type: "finish", reason: "length" }],
      "cut_off_calls",
    ],
  ])("runs no call of a message with %s, and the model reads why", async (_, bad, code) => {
    const { provider, store, go } = agentOf([
      { events: [said("Well."), ...call("echo", { text: "first" }, "0", 0), ...bad] },
      { events: [said("Sorry."), stop] },
    ]);
    const events = await collect(go());
    expect(events.find((event) => event.type === "error")).toMatchObject({ code });
    const log = await store.load({ conversation });
    expect(types(log)).not.toContain("result");
    expect(log.find((event) => event.type === "record" && event.kind === "started")).toBeUndefined();
    const last = provider.requests[1]?.messages.at(-1);
    expect(last?.role === "user" && last.content).toMatch(/refused, and none of them was run/);
    expect(provider.requests[1]?.messages.some((message) => message.role === "assistant" && message.calls)).toBe(false);
  });

  it("keeps the text of an answer that breaks off, and runs none of its calls", async () => {
    const error = new ProviderError("cut_stream", "gone");
    const { store, go, recover, provider } = agentOf([
      { events: [said("Half "), ...call("echo", { text: "a" })], error },
      { events: [said("Whole."), stop] },
    ]);
    expect(await go().result).toMatchObject({ status: "failed", text: "Half" });
    expect(types(await store.load({ conversation }))).not.toContain("call");
    expect(await recover({ conversation }).result).toMatchObject({ status: "completed", text: "Whole." });
    provider.assertDone();
  });

  it("runs no call of an answer that a deadline ended, not even when the conversation goes on", async () => {
    const deadline = new AbortController();
    const { store, go, recover, provider } = agentOf(
      [{ events: [said("Half "), ...call("echo", { text: "a" })], hang: true }, { events: [said("Whole."), stop] }],
      { callDeltas: true },
    );
    const run = go({ signal: deadline.signal, stream: "token" });
    for await (const event of run) {
      if (event.type === "call") deadline.abort(new DOMException("Too late.", "TimeoutError"));
    }
    expect(await run.result).toMatchObject({ status: "stopped", text: "Half" });
    expect(types(await store.load({ conversation }))).not.toContain("call");
    expect(await recover({ conversation }).result).toMatchObject({
      status: "completed",
      text: "Whole.",
      toolErrors: 0,
    });
    provider.assertDone();
  });

  it("stores the provider's own blocks before the results, and sends them back", async () => {
    const data = [{ type: "thinking", signature: "abc" }];
    const events: ModelEvent[] = [
      ...call("echo", { text: "a" }),
      { type: "finish", reason: "tool_calls", native: data },
    ];
    const { provider, store, go } = agentOf([{ events }, { events: [said("Done."), stop] }]);
    await go().result;
    expect(provider.requests[1]?.messages[1]).toMatchObject({ native: { provider: "scripted", data } });
    const log = (await store.load({ conversation })).map((e) => (e.type === "record" ? e.kind : e.type));
    expect(log.indexOf("native")).toBeLessThan(log.indexOf("result"));
  });

  it("goes on with a conversation of another driver at any turn", async () => {
    const store = memoryStore();
    await createAgent({ provider: scripted([block(["echo", { text: "x" }]), "One.<end>"]), tools: [echo], store }).ask(
      "first",
      { conversation },
    );
    const { provider } = await (async () => {
      const side = agentOf(twoSteps, {}, store);
      await side.go().result;
      return side;
    })();
    expect(provider.requests[0]?.messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "assistant"],
      "user",
    ]);
    const xml = scripted(["<execute><echo><text>7</text></echo></execute>", "Back.<end>"]);
    const driver = protocolDriver({ dialect: "xml" });
    const back = createAgent({ provider: xml, tools: [echo], store, driver });
    expect(await back.ask("third", { conversation })).toMatchObject({
      status: "completed",
      text: "Back.",
      toolErrors: 0,
    });
    expect(JSON.stringify(xml.requests[0]?.messages)).toContain("<echo>");
  });

  it("does without the sessions of a provider, which take text alone", async () => {
    const provider = scripted([{ events: [said("Hi."), stop] }], { capabilities: { tools: true, session: true } });
    const connecting = { ...provider, connect: () => Promise.reject(new Error("not this way")) };
    const driver = nativeDriver();
    expect(await createAgent({ provider: connecting, driver }).ask("go")).toMatchObject({ text: "Hi." });
    expect(() => createAgent({ provider: connecting, driver, mode: "resume" })).toThrow(/driver native cannot/);
  });
});
