import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { afterAll, describe, expect, it } from "vitest";
import { describeLlama } from "../test/support/describe-llama.ts";
import { modelPath } from "../test/support/model-path.ts";
import { type LlamaProvider, llama } from "./llama.ts";
import type { LlamaOptions } from "./options.ts";

const path = modelPath();
const base = { model: path, threads: 1, gpu: false, seed: 7, contextSize: 1024 } as const;
const opened: LlamaProvider[] = [];
afterAll(() => Promise.all(opened.map((provider) => provider.close())));

function open(options: Partial<LlamaOptions> = {}): LlamaProvider {
  const provider = llama({ ...base, ...options });
  opened.push(provider);
  return provider;
}

const ask = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "Be brief.",
  messages: [{ role: "user", content }],
  maxOutputTokens: 12,
  ...more,
});

async function collect(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const textOf = (events: readonly ModelEvent[]) =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");
const usageOf = (events: readonly ModelEvent[]) => events.find((event) => event.type === "usage")?.usage;

describe("llama", () => {
  it.each([
    [{}, "model"],
    [{ model: path, parallel: 0 }, "parallel"],
    [{ model: path, gpu: true }, "gpu"],
    [{ model: path, temperatur: 1 }, "temperature"],
  ])("refuses the options %j", (options, name) => {
    expect(() => llama(options as unknown as LlamaOptions)).toThrow(name);
  });

  it("says how large the context is before the model is loaded", () => {
    expect(llama({ model: path }).capabilities.contextWindow).toBe(16_384);
    expect(llama({ model: path, contextSize: 512 }).capabilities.contextWindow).toBe(512);
    expect(llama({ model: "/nowhere.gguf" }).capabilities.contextWindow).toBeUndefined();
  });

  it.each<[what: string, options: Partial<LlamaOptions>, code: string, message: RegExp]>([
    ["a missing file", { model: "/nowhere/x.gguf" }, "not_found", /no file \/nowhere\/x\.gguf/],
    ["a file of another kind", { model: import.meta.filename }, "unsupported", /does not begin with GGUF/],
    [
      "a missing library",
      { library: () => import("no-such-library" as string) },
      "unsupported",
      /node-llama-cpp, .*Type: npm install node-llama-cpp/,
    ],
    ["another module than the library", { library: async () => ({}) }, "unsupported", /getLlama/],
  ])("refuses %s with the first request", async (_, options, code, message) => {
    await expect(collect(open(options).stream(ask("Hello.")))).rejects.toMatchObject({
      name: "ProviderError",
      code,
      retryable: false,
      message: expect.stringMatching(message),
    });
  });
});

describeLlama("a model in a file", () => {
  it("is refused if its weights are cut off", async () => {
    const cut = join(dirname(path), "cut.gguf");
    writeFileSync(cut, readFileSync(path).subarray(0, 20_000));
    await expect(collect(open({ model: cut }).stream(ask("Hello.")))).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/cut\.gguf cannot be loaded: .*not within the file bounds/),
    });
  });

  it("gives the same answer to the same request and seed, and another one to another seed", async () => {
    const provider = open();
    const first = textOf(await collect(provider.stream(ask("Hello."))));
    expect(textOf(await collect(provider.stream(ask("Hello."))))).toBe(first);
    expect(textOf(await collect(provider.stream(ask("Hello.", { options: { seed: 8 } }))))).not.toBe(first);
  });

  it("reads only what is new of a request that goes on", async () => {
    const provider = open();
    const first = await collect(provider.stream(ask("Hello, my name is Ada.")));
    const input = usageOf(first)?.input ?? 0;
    expect(usageOf(first)).toEqual({ input, output: 12, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
    const messages: ModelRequest["messages"] = [
      { role: "user", content: "Hello, my name is Ada." },
      { role: "assistant", content: textOf(first) },
      { role: "user", content: "And yours?" },
    ];
    const again = usageOf(await collect(provider.stream(ask("", { messages }))));
    expect(again?.cacheRead).toBeGreaterThanOrEqual(input);
    const alone = usageOf(await collect(open().stream(ask("", { messages }))));
    expect((again?.cacheRead ?? 0) + (again?.input ?? 0)).toBe(alone?.input);
  });

  it("reads only what is new of a session, which leaves out messages whose answer did not end", async () => {
    const provider = open({ contextSize: 2048 });
    const session = await provider.connect?.(ask("", { messages: [] }));
    if (!session) throw new Error("There is no session.");
    await collect(session.send("One."));
    const controller = new AbortController();
    for await (const event of session.send("Two.", { signal: controller.signal }))
      if (event.type === "text") controller.abort();
    const third = await collect(session.send("Three."));
    expect(third.at(-1)).toEqual({ type: "finish", reason: "length" });
    const { cacheRead = 0, input = 0 } = usageOf(third) ?? {};
    expect(cacheRead).toBeGreaterThan(input);
    await session.close();
    await expect(collect(session.send("Four."))).rejects.toMatchObject({ code: "connection", retryable: false });
  });

  it("ends an answer at a stop sequence and at the limit", async () => {
    const provider = open();
    const events = await collect(provider.stream(ask("Hello.")));
    expect(events.at(-1)).toEqual({ type: "finish", reason: "length" });
    const whole = textOf(events);
    const mark = whole.slice(5, 7);
    const stopped = await collect(provider.stream(ask("Hello.", { stop: [mark] })));
    expect(textOf(stopped)).toBe(whole.slice(0, whole.indexOf(mark)));
    expect(stopped.at(-1)).toEqual({ type: "finish", reason: "stop" });
    expect(await collect(provider.stream(ask("Hello.", { maxOutputTokens: 0 })))).toMatchObject([
      { type: "finish", reason: "length" },
    ]);
  });

  it("ends within a token of an abort, and answers the next request as if nothing had happened", async () => {
    const provider = open();
    const before = textOf(await collect(provider.stream(ask("Hello."))));
    for (const after of [1, 3, 5]) {
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of provider.stream(ask("Hello.", { maxOutputTokens: 500 }), {
        signal: controller.signal,
      })) {
        events.push(event);
        if (events.length === after) controller.abort();
      }
      expect(events.slice(after).map(({ type }) => type)).toEqual(["usage", "finish"]);
      expect(usageOf(events)).toMatchObject({ estimated: true });
      expect(events.at(-1)).toEqual({ type: "finish", reason: "aborted" });
      expect(textOf(await collect(provider.stream(ask("Hello."))))).toBe(before);
    }
  });

  it("ends while a long prompt is being read when the request is aborted", async () => {
    const provider = open({ contextSize: 16_384 });
    await collect(provider.stream(ask("Hello.")));
    const controller = new AbortController();
    const reading = collect(provider.stream(ask("word ".repeat(2000)), { signal: controller.signal }));
    setImmediate(() => controller.abort());
    expect((await reading).at(-1)).toEqual({ type: "finish", reason: "aborted" });
    expect((await collect(provider.stream(ask("Hello.")))).at(-1)).toEqual({ type: "finish", reason: "length" });
  });

  it.each([1, 3])("answers requests that come at once, with %i of them at a time", async (parallel) => {
    const provider = open({ parallel });
    const questions = ["One?", "Two?", "Three?", "Four?"];
    const alone: string[] = [];
    for (const question of questions) alone.push(textOf(await collect(open().stream(ask(question)))));
    const together = await Promise.all(questions.map((question) => collect(provider.stream(ask(question)))));
    expect(together.map(textOf)).toEqual(alone);
  });

  it("keeps a conversation for each request that it may answer at once", async () => {
    const provider = open({ parallel: 2 });
    await Promise.all(["The first talk.", "The second talk."].map((text) => collect(provider.stream(ask(text)))));
    for (const text of ["The first talk.", "The second talk.", "The first talk."]) {
      expect(usageOf(await collect(provider.stream(ask(text))))?.input).toBe(1);
    }
  });

  it("refuses a prompt that is longer than the context, in words that the agent knows", async () => {
    await expect(collect(open({ contextSize: 256 }).stream(ask("word ".repeat(300))))).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringMatching(
        /^The prompt is too long: it has \d+ tokens, and the context of the model has 256\.$/,
      ),
    });
  });

  it("ends an answer that fills the context", async () => {
    const events = await collect(open({ contextSize: 256 }).stream(ask("word ".repeat(20), { maxOutputTokens: 2000 })));
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: expect.stringMatching(/^(length|stop)$/) });
    const { input = 0, output = 0 } = usageOf(events) ?? {};
    expect(input + output).toBeLessThanOrEqual(256);
  });

  it.each<[string, Partial<ModelRequest>, string, string]>([
    ["native tools", { tools: [{ name: "x", description: "X.", parameters: {} }] }, "unsupported", "native tool calls"],
    ["another model", { model: "other" }, "not_found", "names other"],
    ["an unknown option", { options: { top_k: 3 } }, "bad_request", "topK"],
  ])("refuses %s", async (_, more, code, words) => {
    await expect(collect(open().stream(ask("Hello.", more)))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });

  it("writes nothing to stdout, and does not keep the process alive", () => {
    const program = `import { llama } from ${JSON.stringify(join(import.meta.dirname, "index.ts"))};
      const provider = llama(${JSON.stringify(base)});
      for await (const event of provider.stream(${JSON.stringify(ask("Hello."))}));`;
    const file = join(dirname(path), "program.mjs");
    writeFileSync(file, program);
    const env = { ...process.env, NODE_LLAMA_CPP_DEBUG: "true" };
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8", env });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("ends what is under way when it is closed, and refuses what comes later", async () => {
    const provider = open();
    const events: ModelEvent[] = [];
    for await (const event of provider.stream(ask("Hello.", { maxOutputTokens: 500 }))) {
      events.push(event);
      if (events.length === 1) void provider.close();
    }
    expect(events.at(-1)).toEqual({ type: "finish", reason: "aborted" });
    await provider.close();
    await expect(collect(provider.stream(ask("Hello.")))).rejects.toMatchObject({ code: "unsupported" });
  });
});
