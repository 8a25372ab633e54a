import type { LogEvent } from "@cogency/protocol";
import { type ModelEvent, type Provider, ProviderError, scripted, withRetry } from "@cogency/provider";
import { openai } from "@cogency/provider-openai";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { collect, conversation, echo, types } from "../support/fixtures.ts";
import { agentOf, call, called, capabilities, said, stop, thought } from "../support/native.ts";

const a = defineTool({
  name: "a",
  description: "Take a number.",
  input: z.object({ x: z.number() }),
  annotations: { readOnlyHint: true },
  execute: ({ x }) => x,
});

const pieces: ModelEvent[] = [
  said("Hel"),
  said("lo"),
  thought("hm"),
  { type: "tool_call_delta", index: 0, id: "c1", name: "a", arguments: '{"x"' },
  { type: "tool_call_delta", index: 0, arguments: ":1}" },
  { type: "tool_call", id: "c1", name: "a", arguments: '{"x":1}' },
];

describe("an answer that streams text, a thought and a call", () => {
  const driver = nativeDriver({ callDeltas: true });

  it("gives each piece before the model is asked for the next one", async () => {
    let pulled = 0;
    let requests = 0;
    const provider: Provider = {
      ...scripted([], { capabilities }),
      async *stream() {
        const events: ModelEvent[] = requests++ === 0 ? [...pieces, called] : [said("One."), stop];
        for (const event of events) {
          pulled++;
          yield event;
        }
      },
    };
    const seen: [string, string, number][] = [];
    for await (const event of createAgent({ provider, tools: [a], driver }).run("go", { stream: "token" })) {
      if (requests > 1) break;
      if (event.type === "respond" || event.type === "think" || event.type === "call_delta" || event.type === "call") {
        seen.push([event.type, event.content, pulled]);
      }
    }
    expect(seen).toEqual([
      ["respond", "Hel", 1],
      ["respond", "lo", 2],
      ["think", "hm", 3],
      ["call_delta", '{"x"', 4],
      ["call_delta", ":1}", 5],
      ["call", '{"name":"a","args":{"x":1}}', 6],
    ]);
  });

  it("begins a call that only reads before the answer has ended, where calls may begin early", async () => {
    const order: string[] = [];
    const waiting = defineTool({
      name: "a",
      description: "Take a number.",
      input: z.object({ x: z.number() }),
      annotations: { readOnlyHint: true },
      execute: () => {
        order.push("began");
      },
    });
    const inner = scripted([{ events: [...pieces, called] }, { events: [said("One."), stop] }], { capabilities });
    const provider: Provider = {
      ...inner,
      async *stream(request, options) {
        for await (const event of inner.stream(request, options)) {
          if (event.type === "finish") order.push("ended");
          yield event;
        }
      },
    };
    const execution = { earlyStart: true };
    await createAgent({ provider, tools: [waiting], driver, execution }).run("go").result;
    expect(order.slice(0, 2)).toEqual(["began", "ended"]);
  });

  it("leaves the same log however it is cut, and without streaming", async () => {
    const written = '{"x":1}';
    const cuts = Array.from({ length: written.length - 1 }, (_, at) => [
      written.slice(0, at + 1),
      written.slice(at + 1),
    ]);
    const answers = [[written], ...cuts, [...written]].map((args): ModelEvent[] => [
      ...(args.length > 2 ? [..."Hello"] : ["Hello"]).map(said),
      thought("hm"),
      ...args.map((text, at): ModelEvent => {
        const first = at === 0 ? { id: "c1", name: "a" } : {};
        return { type: "tool_call_delta", index: 0, ...first, arguments: text };
      }),
      { type: "tool_call", id: "c1", name: "a", arguments: written },
      called,
    ]);
    const logs: unknown[] = [];
    for (const events of answers) {
      for (const stream of ["token", "event", null] as const) {
        const store = memoryStore();
        const provider = scripted([{ events }, { events: [said("One."), stop] }], { capabilities });
        const agent = createAgent({ provider, tools: [a], store, driver });
        expect(await agent.run("go", { conversation, stream }).result).toMatchObject({ text: "One.", steps: 2 });
        logs.push(plain(await store.load({ conversation })));
      }
    }
    expect(logs[0]).toEqual([
      ["user", "go"],
      ["respond", "Hello"],
      ["think", "hm"],
      ["call", '{"name":"a","args":{"x":1}}'],
      ["result", '[{"tool":"a","status":"success","content":1}]'],
      ["respond", "One."],
    ]);
    for (const log of logs) expect(log).toEqual(logs[0]);
  });
});

function plain(log: readonly LogEvent[]): unknown[] {
  return log.flatMap((event) => (event.type !== "record" && "content" in event ? [[event.type, event.content]] : []));
}

describe("calls whose pieces arrive mixed", () => {
  const delta = (...tool_calls: object[]) => ({ choices: [{ index: 0, delta: { tool_calls } }] });
  const piece = (index: number, args: string, more: object = {}) => ({ index, function: { arguments: args, ...more } });

  /** Runs an agent whose server first sends these deltas. Returns the contents of its calls. */
  async function callsOf(...deltas: object[]): Promise<unknown[]> {
    const finish = (finish_reason: string) => ({ choices: [{ index: 0, delta: {}, finish_reason }] });
    const answers = [
      [...deltas, finish("tool_calls")],
      [{ choices: [{ index: 0, delta: { content: "Done." } }] }, finish("stop")],
    ];
    const fetch = async () => {
      const frames = (answers.shift() ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`);
      return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
    };
    const provider = openai({ api: "chat", apiKey: "key-of-the-test", fetch, baseURL: "https://api.openai.com/v1" });
    const store = memoryStore();
    const agent = createAgent({ provider, tools: [echo], store, driver: nativeDriver() });
    expect(await agent.run("go", { conversation }).result).toMatchObject({ text: "Done.", toolErrors: 0 });
    const log = await store.load({ conversation }, { types: ["call"] });
    expect(new Set(log.flatMap((event) => (event.type === "call" ? [event.id] : []))).size).toBe(log.length);
    return log.flatMap((event) =>
      event.type === "call" ? [(JSON.parse(event.content) as { args: unknown }).args] : [],
    );
  }

  it("are each put together by themselves", async () => {
    const calls = await callsOf(
      delta({ id: "1", ...piece(0, '{"te', { name: "echo" }) }),
      delta({ id: "2", ...piece(1, '{"text"', { name: "echo" }) }),
      delta(piece(0, 'xt":"one"}')),
      delta(piece(1, ':"two"}')),
    );
    expect(calls).toEqual([{ text: "one" }, { text: "two" }]);
  });

  it("are two calls also where they have one name and no ids", async () => {
    const calls = await callsOf(
      delta(piece(0, '{"text":"one"}', { name: "echo" })),
      delta(piece(1, '{"text":"two"}', { name: "echo" })),
    );
    expect(calls).toEqual([{ text: "one" }, { text: "two" }]);
  });
});

describe("an answer whose calls cannot run", () => {
  it.each<[string, ModelEvent[], string]>([
    ["arguments that are no JSON", [...call("echo", '{"text":'), called], "malformed_arguments"],
    ["arguments that are a list", [...call("echo", "[1]"), called], "malformed_arguments"],
    [
      "a message that was cut off",
      [...call("echo", { text: "a" }), { type: "finish", reason: "length" }],
      "cut_off_calls",
    ],
  ])("runs none of them: %s, and the model reads why", async (_, bad, code) => {
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
});

describe("a request that is made again", () => {
  const used = { input: 9, output: 3, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

  it("shows the answer once, after a notice, because it is made again only where nothing was shown", async () => {
    const timeout = new ProviderError("timeout", "too late", { retryable: true });
    const model = scripted([{ error: timeout }, { chunks: ["A", "B", "C"], usage: used }], { capabilities });
    const agent = createAgent({ provider: withRetry(model, { baseDelay: 1 }), driver: nativeDriver() });
    const run = agent.run("go", { stream: "token" });
    const events = await collect(run);
    const shown = events.filter(({ type }) => type === "error" || type === "respond");
    expect(types(shown)).toEqual(["error", "respond", "respond", "respond"]);
    expect(await run.result).toMatchObject({ status: "completed", text: "ABC", usage: { input: 9, output: 3 } });
    expect(model.requests).toHaveLength(2);
  });

  it("is not made again after text that was shown: the run fails, and keeps the text", async () => {
    const timeout = new ProviderError("timeout", "too late", { retryable: true });
    const model = scripted([{ chunks: ["A", "B"], error: timeout }], { capabilities });
    const agent = createAgent({ provider: withRetry(model, { baseDelay: 1 }), driver: nativeDriver() });
    expect(await agent.ask("go")).toMatchObject({ status: "failed", text: "AB", error: { code: "provider" } });
    model.assertDone();
  });
});
