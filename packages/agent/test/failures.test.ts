import type { AgentEvent } from "@cogency/protocol";
import { type ModelEvent, type Provider, ProviderError, type ProviderErrorCode, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../src/create-agent.ts";
import { protocolDriver } from "../src/drivers/protocol-driver.ts";
import { block, collect, conversation, echo, types } from "./support/fixtures.ts";

describe("a run that fails", () => {
  it("throws to the consumer, resolves `result`, and keeps the partial text", async () => {
    const store = memoryStore();
    const error = new ProviderError("overloaded", "The model is overloaded.");
    const provider = scripted([{ chunks: ["<think>a</think>Half <thi"], error }]);
    const run = createAgent({ provider, store }).run("go", { conversation });
    const events: AgentEvent[] = [];
    await expect(async () => {
      for await (const event of run) events.push(event);
    }).rejects.toMatchObject({
      name: "RunError",
      code: "provider",
      message: "The model is overloaded.",
      cause: { code: "overloaded" },
    });
    expect(types(events)).toEqual(["user", "think", "respond"]);
    expect(await run.result).toMatchObject({ status: "failed", steps: 1, error: { code: "provider" } });
    const said = await store.load({ conversation }, { types: ["think", "respond"] });
    expect(said.map((event) => "content" in event && event.content)).toEqual(["a", "Half <thi"]);
  });

  it("keeps the partial text of a non-streaming request", async () => {
    const store = memoryStore();
    const provider: Provider = {
      ...scripted([]),
      generate: () => Promise.reject(new ProviderError("cut_stream", "cut", { partial: "Half an answer" })),
    };
    const run = createAgent({ provider, store }).run("go", { conversation, stream: null });
    expect(await run.result).toMatchObject({ status: "failed", usage: { estimated: true } });
    expect(await store.load({ conversation }, { types: ["respond"] })).toMatchObject([{ content: "Half an answer" }]);
  });

  it("counts an answer with `<end>` as complete although the connection broke after it", async () => {
    const error = new ProviderError("cut_stream", "gone");
    const provider = scripted([{ chunks: ["All done.", "\n\n<end>"], error, errorAfter: 2 }]);
    const result = await createAgent({ provider }).run("go").result;
    expect(result).toMatchObject({ status: "completed", text: "All done.", usage: { output: 4, estimated: true } });
  });

  it.each<[ProviderErrorCode, boolean]>([
    ["authentication", false],
    ["rate_limit", false],
    ["connection", false],
    ["timeout", true],
    ["cut_stream", true],
  ])("counts a request that failed with %s before its first event as used: %s", async (code, isUsed) => {
    const provider = scripted([{ error: new ProviderError(code, "No.") }]);
    const prices = { "scripted-1": { input: 1, output: 1 } };
    const { status, usage, cost } = await createAgent({ provider, prices }).run("go").result;
    expect({ status, isUsed: usage.input > 0, isCharged: (cost ?? 0) > 0 }).toEqual({
      status: "failed",
      isUsed,
      isCharged: isUsed,
    });
    expect(usage.estimated ?? false).toBe(isUsed);
  });

  it("has the code `provider` for any error of the stream", async () => {
    const failing: Provider = {
      ...scripted([]),
      // biome-ignore lint/correctness/useYield: a provider that fails has nothing to give
      async *stream() {
        throw new TypeError("no such model");
      },
    };
    const result = await createAgent({ provider: failing }).run("go").result;
    expect(result).toMatchObject({ status: "failed", error: { code: "provider", cause: { name: "TypeError" } } });
  });

  it("counts a stream that ends without `finish` as broken, and runs none of its calls", async () => {
    let ran = false;
    const touch = defineTool({
      name: "touch",
      description: "T.",
      input: z.object({}),
      execute: () => {
        ran = true;
      },
    });
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        yield { type: "text", text: '<execute>[{"name":"touch","args":{}}]' };
      },
    };
    const result = await createAgent({ provider, tools: [touch] }).run("go").result;
    expect(result).toMatchObject({ status: "failed", error: { code: "provider", cause: { code: "cut_stream" } } });
    expect(ran).toBe(false);
  });

  it("counts the usage of a generation that broke off after its block", async () => {
    const provider = scripted([
      { chunks: block(["echo", { text: "x" }]), error: new ProviderError("server", "down") },
      "ok",
    ]);
    const events = await collect(createAgent({ provider, tools: [echo] }).run("go"));
    const [first] = events.filter((event) => event.type === "metric");
    expect(first).toMatchObject({ step: { estimated: true, output: expect.any(Number) } });
    expect(first?.step.output).toBeGreaterThan(0);
  });

  it("estimates usage that is not a number", async () => {
    const usage = { input: 5, output: Number.NaN, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const result = await createAgent({ provider: scripted([{ chunks: "ok", usage }]) }).run("go").result;
    expect(result).toMatchObject({ status: "completed", usage: { output: 1, estimated: true } });
    expect(result.usage.input).toBeGreaterThan(5);
  });

  it("makes prompt and identity well-formed", async () => {
    const provider = scripted(["ok"]);
    const [user] = await collect(createAgent({ provider, identity: "x\ud800" }).run("a\ud800b"));
    expect(user).toMatchObject({ content: "a\ufffdb" });
    expect(provider.requests[0]?.system.isWellFormed()).toBe(true);
  });

  it("resolves `result` when nobody iterates, and leaves no unhandled rejection", async () => {
    const provider = scripted([{ error: new ProviderError("server", "down") }]);
    expect(await createAgent({ provider }).run("go").result).toMatchObject({
      status: "failed",
      error: { message: "down" },
    });
  });

  it("fails with the driver's error when a driver throws", async () => {
    const driver = {
      ...protocolDriver(),
      begin(): never {
        throw new TypeError("bad driver");
      },
    };
    const result = await createAgent({ provider: scripted([]), driver }).run("go").result;
    expect(result).toMatchObject({ status: "failed", error: { code: "driver", message: "bad driver" } });
  });

  it("fails with the store's error when a call cannot be recorded, and does not run it", async () => {
    let ran = false;
    const touch = defineTool({
      name: "touch",
      description: "T.",
      input: z.object({}),
      execute: () => {
        ran = true;
      },
    });
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      append: (key, events, options) =>
        events.some((event) => event.type === "record" && event.kind === "started")
          ? Promise.reject(new Error("disk full"))
          : inner.append(key, events, options),
    };
    const result = await createAgent({ provider: scripted([block(["touch", {}])]), tools: [touch], store }).run("go")
      .result;
    expect(result).toMatchObject({ status: "failed", error: { code: "store", message: "disk full" } });
    expect(ran).toBe(false);
  });
});

describe("a provider that breaks its types", () => {
  const giving = (...events: unknown[]): Provider => ({
    ...scripted([]),
    async *stream() {
      yield* events as ModelEvent[];
      yield { type: "finish", reason: "stop" };
    },
  });

  it.each<[string, unknown, string]>([
    ["text that is missing", { type: "text" }, "a text event whose text is undefined, not a string"],
    ["text that is null", { type: "text", text: null }, "a text event whose text is null, not a string"],
    ["text that is a number", { type: "text", text: 42 }, "a text event whose text is a number, not a string"],
    ["text that is a list", { type: "text", text: ["a"] }, "a text event whose text is an object, not a string"],
    ["reasoning that is missing", { type: "reasoning" }, "a reasoning event whose text is undefined, not a string"],
    ["nothing for an event", undefined, "undefined instead of an event"],
    ["a text for an event", "Hello", "a string instead of an event"],
  ])("fails the run with the problem, and keeps the text before it: %s", async (_, event, problem) => {
    const generating = {
      ...giving(),
      generate: async () =>
        [{ type: "text", text: "Good. " }, event, { type: "finish", reason: "stop" }] as ModelEvent[],
    };
    const streaming = giving({ type: "text", text: "Good. " }, event, { type: "text", text: "Bad." });
    for (const [provider, stream] of [
      [streaming, "event"],
      [streaming, null],
      [generating, null],
    ] as const) {
      const { status, text, error } = await createAgent({ provider }).run("go", { stream }).result;
      expect([status, error?.code]).toEqual(["failed", "provider"]);
      expect(error?.message).toBe(`The provider scripted gave ${problem}.`);
      expect(error?.cause).toMatchObject({ name: "ProviderError", code: "bad_response" });
      expect(["Good.", ""]).toContain(text);
    }
  });
});
