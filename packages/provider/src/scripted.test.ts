import { describe, expect, it } from "vitest";
import { collect } from "../test/support/collect.ts";
import { ProviderError } from "./errors.ts";
import { generate } from "./generate.ts";
import type { ModelEvent, ModelRequest } from "./provider.ts";
import { ScriptError, type ScriptedReply, type ScriptedStep, scripted } from "./scripted.ts";

const request: ModelRequest = { system: "You are terse.", messages: [{ role: "user", content: "hello" }] };
const usage = { input: 7, output: 3, cacheRead: 1, cacheWrite: 0, reasoning: 0 };

describe("scripted", () => {
  const played: { step: ScriptedStep; chunkSize?: number; events: ModelEvent[] }[] = [
    { step: "Hi.", events: texts("Hi.") },
    { step: ["H", "i."], events: texts("H", "i.") },
    { step: { chunks: "Hi." }, events: texts("Hi.") },
    { step: { chunks: ["H", "i."] }, events: texts("H", "i.") },
    { step: ({ system }) => system, events: texts("You are terse.") },
    { step: () => ({ chunks: ["a"], events: texts("b") }), events: texts("a", "b") },
    { step: "12345", chunkSize: 2, events: texts("12", "34", "5") },
    { step: "a😀", chunkSize: 2, events: texts("a\ud83d", "\ude00") },
    { step: { events: texts("12345") }, chunkSize: 4, events: texts("1234", "5") },
  ];

  it.each(played)("plays $step", async ({ step, chunkSize, events }) => {
    const model = scripted([step], chunkSize === undefined ? {} : { chunkSize });
    const all = await collect(model.stream(request));
    expect(all.slice(0, -2)).toEqual(events);
    expect(all.slice(-2).map((event) => event.type)).toEqual(["usage", "finish"]);
  });

  it.each([0, -1, 0.5, Number.NaN])("refuses pieces of %d code units, which would lose text", (chunkSize) => {
    expect(() => scripted(["abc"], { chunkSize })).toThrow(RangeError);
  });

  it("estimates usage and finishes with stop by default", async () => {
    expect(await collect(scripted(["12345678"]).stream(request))).toEqual([
      { type: "text", text: "12345678" },
      { type: "usage", usage: { input: 5, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: true } },
      { type: "finish", reason: "stop" },
    ]);
    expect(await collect(scripted([{ chunks: "1", usage, finish: "length" }]).stream(request))).toEqual([
      { type: "text", text: "1" },
      { type: "usage", usage },
      { type: "finish", reason: "length" },
    ]);
  });

  it("keeps finish last and single when the events hold one", async () => {
    const finish: ModelEvent = { type: "finish", reason: "content_filter", raw: "safety" };
    const events = [finish, { type: "usage", usage } as const, ...texts("a")];
    expect(await collect(scripted([{ events }]).stream(request))).toEqual([
      ...texts("a"),
      { type: "usage", usage },
      finish,
    ]);
  });

  it("records each request as it was when it was sent", async () => {
    const messages = [...request.messages];
    const model = scripted(["one", "two"]);
    await collect(model.stream({ ...request, messages }));
    messages.push({ role: "assistant", content: "one" }, { role: "user", content: "more" });
    await collect(model.stream({ ...request, messages }));
    expect(model.requests.map((sent) => sent.messages.length)).toEqual([1, 3]);
  });

  it("refuses a request that is not in the script, and shows it", async () => {
    const model = scripted(["one"]);
    await collect(model.stream(request));
    const failure = await collect(model.stream(request)).catch((error) => error);
    expect(failure).toBeInstanceOf(ScriptError);
    expect(failure.code).toBe("unexpected_request");
    expect(failure.message).toContain("Request 2");
    expect(failure.message).toContain("hello");
  });

  it("says how many steps were not asked for", async () => {
    const model = scripted(["one", "two"]);
    await collect(model.stream(request));
    expect(() => model.assertDone()).toThrow(ScriptError);
    expect(() => model.assertDone()).toThrow("1 of 2");
    await collect(model.stream(request));
    expect(() => model.assertDone()).not.toThrow();
  });

  it("throws the error after the pieces, with the text that was played", async () => {
    const error = new ProviderError("server", "Down.", { status: 500, retryAfter: 3 });
    const seen: ModelEvent[] = [];
    const step = { chunks: ["a", "b", "c"], error, errorAfter: 2 };
    const failure = await collect(scripted([step]).stream(request), seen).catch((thrown) => thrown);
    expect(seen).toEqual(texts("a", "b"));
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).toMatchObject({ code: "server", message: "Down.", status: 500, retryAfter: 3, partial: "ab" });
  });

  it("throws any other error unchanged", async () => {
    const error = new TypeError("not a provider's error");
    await expect(collect(scripted([{ chunks: "a", error }]).stream(request))).rejects.toBe(error);
  });

  const waiting: { name: string; step: ScriptedStep }[] = [
    { name: "while it hangs", step: { chunks: ["a"], hang: true } },
    { name: "while it waits for the next piece", step: { chunks: ["a", "b"], delay: 1_000_000 } },
    { name: "between two pieces", step: ["a", "b"] },
    { name: "before an error", step: { chunks: ["a"], error: new Error("late") } },
  ];

  it.each(waiting)("finishes as aborted at once $name", async ({ step }) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 5);
    const events: ModelEvent[] = [];
    for await (const event of scripted([step]).stream(request, { signal: controller.signal })) {
      events.push(event);
      if (event.type === "text") controller.abort();
    }
    expect(events.at(-1)).toEqual({ type: "finish", reason: "aborted" });
    expect(events.filter((event) => event.type === "finish")).toHaveLength(1);
    expect(events).not.toContainEqual({ type: "text", text: "b" });
  });

  it("takes name, model and capabilities", () => {
    const model = scripted([], { name: "acme", model: "acme-2", capabilities: { tools: true } });
    expect(model).toMatchObject({ name: "acme", model: "acme-2" });
    expect(model.capabilities).toEqual({ tools: true, session: false, reasoning: false, format: false });
  });
});

function texts(...pieces: string[]): ModelEvent[] {
  return pieces.map((text) => ({ type: "text", text }));
}

describe("a script without types", () => {
  it.each<[step: unknown, problem: string]>([
    [undefined, "Step 2 of the script is undefined"],
    [null, "Step 2 of the script is null"],
    [7, "Step 2 of the script is 7"],
    [["Hi", undefined], "Chunk 2 of step 2 of the script is undefined"],
    [{ chunks: ["Hi", 7] }, "Chunk 2 of step 2 of the script is 7"],
    [{ events: [{ type: "text" }] }, "Event 1 of step 2 of the script: `text` of"],
    [{ events: [{ type: "reasoning", text: undefined }] }, "must be of the type string"],
    [{ events: [{ type: "tool_call_delta", index: 0 }] }, "`arguments` of"],
    [{ events: [{ type: "say", text: "Hi" }] }, "There is no event"],
    [{ events: [undefined] }, "An event must be an object"],
    [{ events: [{ type: "finish", reason: "end_turn" }] }, "`reason` of `finish` must be one of"],
  ])("that plays %j is refused at once, or when its function is called", async (step, problem) => {
    expect(() => scripted(["Hello.", step as ScriptedStep])).toThrow(TypeError);
    expect(() => scripted(["Hello.", step as ScriptedStep])).toThrow(problem);
    const late = scripted(["Hello.", () => step as ScriptedReply]);
    const ask = () => generate(late, { system: "", messages: [] });
    await ask();
    await expect(ask()).rejects.toThrow(problem);
  });
});
