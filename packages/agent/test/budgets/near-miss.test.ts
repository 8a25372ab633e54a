import { type ModelEvent, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent, protocolDriver } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { block, collect, conversation, echo } from "../support/fixtures.ts";

const foreign = '<tool_call>{"name":"echo","arguments":{"text":"a"}}</tool_call>';
const real = block(["echo", { text: "a" }]);

async function played(steps: ScriptedStep[], options: Partial<AgentOptions> = {}) {
  const provider = scripted(steps, { capabilities: { tools: true } });
  const store = memoryStore();
  const agent = createAgent({ provider, store, tools: [echo], ...options });
  const run = agent.run("go", { conversation });
  const events = await collect(run);
  const nudges = (await store.load({ conversation })).flatMap((event) =>
    event.type === "user" && event.origin === "nudge" ? [event.content] : [],
  );
  const codes = events.flatMap((event) => (event.type === "error" ? [event.code] : []));
  return { provider, agent, nudges, codes, result: await run.result };
}

describe("a call that was not written as one", () => {
  it("does not end the turn: the model is told what was seen and what to write", async () => {
    const { result, nudges, codes, provider } = await played([`I look.\n${foreign}`, real, "It says a."]);
    expect(result).toMatchObject({ status: "completed", text: "It says a.", steps: 3 });
    expect(nudges).toEqual([
      "Your last message held a call of echo in another form, so it did not run. To call a tool, write a block as the protocol says, by itself. If it was meant as text, answer once more.",
    ]);
    expect(codes).toEqual(["near_miss"]);
    expect(provider.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: nudges[0] });
  });

  it("is told once in a turn; then such an answer counts as it is", async () => {
    const { result, nudges } = await played([foreign, foreign]);
    expect(result).toMatchObject({ status: "completed", text: foreign, steps: 2 });
    expect(nudges).toHaveLength(1);
  });

  it("is told again in the next turn of the person", async () => {
    const { agent, provider } = await played([foreign, "Done.", foreign, "Done again."]);
    expect(await agent.ask("more", { conversation })).toMatchObject({ text: "Done again.", steps: 2 });
    provider.assertDone();
  });

  it("is named also where it stood in open thinking, which would be an empty turn otherwise", async () => {
    const { nudges, codes } = await played([`<think>Well. ${real}`, "Done."]);
    expect(nudges).toEqual([expect.stringContaining("a call of echo in thinking that was not closed")]);
    expect(codes).toEqual(["near_miss"]);
    const { codes: twice } = await played([`<think>Well. ${real}`, `<think>Well. ${real}`, "Done."]);
    expect(twice).toEqual(["near_miss", "empty_turn"]);
  });

  it("is found in both dialects, and where the answer begins in thinking", async () => {
    const driver = protocolDriver({ dialect: "xml" });
    expect((await played([foreign, "Done."], { driver })).codes).toEqual(["near_miss"]);
    const thinking = protocolDriver({ startIn: "think" });
    expect((await played([`Well. ${real}`, "</think>Done."], { driver: thinking })).codes).toEqual(["near_miss"]);
  });

  it("counts as a failure to make progress", async () => {
    const { nudges, codes } = await played([foreign, real, "Done."], { budget: { failures: 2 } });
    expect({ told: nudges.length, codes }).toEqual({ told: 1, codes: ["near_miss"] });
    const run = createAgent({ provider: scripted([foreign]), tools: [echo], budget: { failures: 1 } }).ask("go");
    expect((await run).error).toMatchObject({ code: "no_progress", text: foreign });
  });

  it("ends the turn if there was no room for more", async () => {
    const { result, nudges } = await played([{ chunks: foreign.slice(0, -20), finish: "length" }]);
    expect(result).toMatchObject({ status: "completed", stop: { reason: "finish_reason" } });
    expect(nudges).toEqual([]);
  });

  it("is none beside a block that ran, or one that was refused", async () => {
    const { codes } = await played([`${foreign}${real}`, `${foreign}<execute>[oops]</execute>`, "Done."]);
    expect(codes).toEqual(["malformed_execute"]);
  });

  it("is not looked for in what the model writes after its turn", async () => {
    const { codes, result } = await played([`Done.<end>\n${foreign}${real}`]);
    expect({ codes, text: result.text }).toEqual({ codes: [], text: "Done." });
  });

  it.each([
    foreign,
    `[TOOL_CALLS][{"name":"echo","arguments":{"text":"a"}}]`,
    `\`\`\`json\n{"name":"functions.echo","arguments":{"text":"a"}}\n\`\`\``,
    real,
  ])("is told to a model with native calls, too: %s", async (text) => {
    const events: ModelEvent[] = [{ type: "tool_call", id: "1", name: "echo", arguments: '{"text":"a"}' }];
    const step: ScriptedStep = { events: [...events, { type: "finish", reason: "tool_calls" }] };
    const { result, nudges, codes } = await played([text, step, "It says a."], { driver: nativeDriver() });
    expect(result).toMatchObject({ status: "completed", text: "It says a.", steps: 3 });
    expect(codes).toEqual(["near_miss"]);
    expect(nudges).toEqual([expect.stringContaining("To call a tool, use the tool calls of this API")]);
  });

  it.each<[string, Partial<AgentOptions>, ScriptedStep]>([
    ["no tool may be called", { driver: nativeDriver({ toolChoice: "none" }) }, foreign],
    ["there are no tools", { driver: nativeDriver(), tools: [] }, foreign],
    ["the output limit cut it off", { driver: nativeDriver() }, { chunks: foreign, finish: "length" }],
  ])("is an answer for a model with native calls where %s", async (_, options, step) => {
    const { result, codes } = await played([step], options);
    expect({ codes, text: result.text, steps: result.steps }).toEqual({ codes: [], text: foreign, steps: 1 });
  });

  it("is not looked for in an answer that must fit a schema", async () => {
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, args: { type: "object", properties: {} } },
      required: ["name", "args"],
    } as const;
    const provider = scripted(['{"name":"echo","args":{}}']);
    const { object, steps } = await createAgent({ provider, tools: [echo] }).object("go", schema).result;
    expect({ object, steps }).toEqual({ object: { name: "echo", args: {} }, steps: 1 });
  });
});

describe("a turn that cannot be used is told to the model, and counted", () => {
  const tellings: [string, ScriptedStep, string][] = [
    ["a refused block", "<execute>[oops]</execute>", "malformed_execute"],
    [
      "a block that the output limit cut off",
      { chunks: '<execute>[{"name":"echo",', finish: "length" },
      "truncated_execute",
    ],
    [
      "a block that the content filter cut off",
      { chunks: real.slice(0, -5), finish: "content_filter" },
      "truncated_execute",
    ],
    ["an empty block", "<execute>[]</execute>", "empty_batch"],
    ["an empty turn", "", "empty_turn"],
    ["a turn of thinking alone", "<think>hm</think>", "empty_turn"],
  ];

  it.each(tellings)("%s", async (_, step, code) => {
    const { codes, provider, result } = await played([step, step, "Done."]);
    expect({ codes, text: result.text }).toEqual({ codes: [code, code], text: "Done." });
    const [first, second] = provider.requests.map(({ messages }) => JSON.stringify(messages).length);
    expect(second).toBeGreaterThan(first ?? 0);
  });

  it.each(tellings)("%s, up to the limit of failures", async (_, step) => {
    const provider = scripted([step, step]);
    const { error } = await createAgent({ provider, tools: [echo], budget: { failures: 2 } }).ask("go");
    expect(error).toMatchObject({ code: "no_progress", message: expect.stringContaining("2 times in a row") });
  });
});
