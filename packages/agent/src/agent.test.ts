import { type AgentEvent, type FinishReason, isPersisted, parseResults, toMessages } from "@cogency/protocol";
import {
  type ModelEvent,
  type Provider,
  ProviderError,
  type ProviderErrorCode,
  scripted,
  withRetry,
} from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { block, broken, collect, echo, endless, types } from "../test/fixtures.ts";
import { createAgent } from "./create-agent.ts";
import { protocolDriver } from "./protocol-driver.ts";

const conversation = "c";
const twoSteps = [`<think>look</think>Looking.${block(["echo", { text: "a" }])}`, "It says a.<end>"];

async function resultsIn(store: Store) {
  const events = await store.load({ conversation }, { types: ["result"] });
  return events.map((event) => (event.type === "result" ? parseResults(event.content) : null));
}

describe("a run", () => {
  it("asks, runs the batch, stores everything and answers", async () => {
    const store = memoryStore();
    const provider = scripted(twoSteps, { chunkSize: 3 });
    const run = createAgent({ provider, tools: [echo], store }).run("What does a say?", { conversation });
    const events = await collect(run);

    expect(types(events)).toEqual([
      "user",
      "think",
      "respond",
      "call",
      "execute",
      "result",
      "metric",
      "respond",
      "end",
      "metric",
    ]);
    expect(await run.result).toMatchObject({ status: "completed", text: "It says a.", steps: 2 });
    expect(await resultsIn(store)).toEqual([[{ tool: "echo", status: "success", content: "a" }]]);
    provider.assertDone();
  });

  it("assembles every request afresh from the store, each beginning with the one before it", async () => {
    const store = memoryStore();
    const provider = scripted([...twoSteps, "Bye."]);
    const agent = createAgent({ provider, tools: [echo], store, identity: "You are E." });
    await agent.run("one", { conversation }).result;
    await agent.run("two", { conversation }).result;

    const [first, second, third] = provider.requests;
    expect(first?.system).toMatch(/^You are E\.\n\n## Protocol/);
    expect(second?.system).toBe(first?.system);
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
    expect(third?.messages.slice(0, second?.messages.length)).toEqual(second?.messages);
    const log = await store.load({ conversation });
    const asked = log.slice(0, log.findLastIndex((event) => event.type === "user") + 1);
    expect(third?.messages).toEqual(toMessages(asked, { form: "json" }));
  });

  it("tells of a request that is made again, and goes on", async () => {
    const store = memoryStore();
    const busy = new ProviderError("overloaded", "The server is overloaded.");
    const provider = withRetry(scripted([{ error: busy }, { error: busy }, "Hello.<end>"]), { baseDelay: 1 });
    const run = createAgent({ provider, store }).run("Hi", { conversation });
    const events = await collect(run);
    expect(types(events)).toEqual(["user", "error", "error", "respond", "end", "metric"]);
    expect(events.slice(1, 3)).toEqual(
      [2, 3].map((next) => ({
        type: "error",
        code: "provider_retry",
        content: expect.stringMatching(`^The server is overloaded\\. Try ${next} begins`),
        timestamp: expect.any(Number),
      })),
    );
    expect(types(await store.load({ conversation }))).toEqual(["record", "user", "respond", "record"]);
  });

  it("counts nothing for a refused request when it is cancelled before it asks again", async () => {
    const provider = withRetry(
      scripted([{ error: new ProviderError("rate_limit", "Slow down.", { retryAfter: 30 }) }]),
    );
    const controller = new AbortController();
    const run = createAgent({ provider }).run("Hi", { signal: controller.signal });
    for await (const event of run) if (event.type === "error") controller.abort();
    const { stop, usage } = await run.result;
    expect(stop?.reason).toBe("user_requested");
    expect(usage).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 });
  });

  it("tells what each step and the run cost where the model's price is known", async () => {
    const usage = { input: 1_000, output: 100, cacheRead: 2_000, cacheWrite: 0, reasoning: 0 };
    const provider = scripted([
      { chunks: block(["echo", { text: "a" }]), usage },
      { chunks: "Done.<end>", usage },
    ]);
    const prices = { "scripted-1": { input: 2, output: 10, cacheRead: 0.5 } };
    const store = memoryStore();
    const run = createAgent({ provider, tools: [echo], store, prices }).run("go", { conversation });
    const metrics = (await collect(run)).flatMap((event) => (event.type === "metric" ? [event] : []));
    expect(metrics.map(({ step, total }) => [step.cost, total.cost])).toEqual([
      [0.004, 0.004],
      [0.004, 0.008],
    ]);
    expect(await run.result).toMatchObject({ cost: 0.008 });
    const kept = (await store.load({ conversation })).filter(
      (event) => event.type === "record" && event.kind === "usage",
    );
    expect(kept.map((event) => "data" in event && event.data)).toEqual(metrics.map(({ step }) => step));
  });

  it("tells no cost where the price is unknown, and refuses one that is none", async () => {
    const prices = { other: { input: 1, output: 1 } };
    const run = createAgent({ provider: scripted(["Done.<end>"]), prices }).run("go");
    expect((await collect(run)).find(({ type }) => type === "metric")).not.toHaveProperty("step.cost");
    expect(await run.result).not.toHaveProperty("cost");
    const wrong = { "scripted-1": { input: Number.NaN, output: 1 } };
    expect(() => createAgent({ provider: scripted([]), prices: wrong })).toThrow(RangeError);
  });

  it("stores every event before anybody sees it settled", async () => {
    const store = memoryStore();
    const run = createAgent({ provider: scripted(twoSteps), tools: [echo], store }).run("go", { conversation });
    for await (const event of run) {
      if (!isPersisted(event.type)) continue;
      const stored = await store.load({ conversation });
      expect(stored.map(({ seq: _, ...each }) => each)).toContainEqual(event);
    }
  });

  it("stores the calls of a batch together, before any of them runs", async () => {
    const store = memoryStore();
    let seen: string[] = [];
    const look = defineTool({
      name: "look",
      description: "Look at the log.",
      input: z.object({}),
      execute: async (_, { call }) => {
        seen = types(await store.load({ conversation }));
        return call.id;
      },
    });
    const provider = scripted([block(["look", {}], ["echo", { text: "x" }]), "ok"]);
    await createAgent({ provider, tools: [look, echo], store }).run("go", { conversation }).result;
    expect(seen.slice(0, 5)).toEqual(["record", "user", "call", "call", "record"]);
    const calls = await store.load({ conversation }, { types: ["call"] });
    const [results] = await resultsIn(store);
    expect(results?.[0]?.content).toBe((calls[0] as { id?: string }).id);
  });

  it("records what began and what ended as it happens", async () => {
    const store = memoryStore();
    const provider = scripted([block(["echo", { text: "x" }]), "ok"]);
    await createAgent({ provider, tools: [echo], store }).run("go", { conversation }).result;
    const records = await store.load({ conversation }, { types: ["record"] });
    expect(records.map((event) => event.type === "record" && event.kind)).toEqual([
      "origin",
      "started",
      "finished",
      "usage",
      "usage",
    ]);
    expect(records[2]).toMatchObject({ data: { result: { tool: "echo", status: "success", content: "x" } } });
  });

  it("gives one result per call, in call order, when one fails, one is unknown and one has bad arguments", async () => {
    const store = memoryStore();
    const provider = scripted([
      block(["broken", {}], ["ecko", {}], ["echo", { text: 7 }], ["echo", { text: "ok" }]),
      "done",
    ]);
    const run = createAgent({ provider, tools: [echo, broken], store }).run("go", { conversation });
    const result = (await collect(run)).find((event) => event.type === "result");
    expect(result).toMatchObject({ payload: { tools_executed: 2, success_count: 1, failure_count: 3 } });
    expect((await resultsIn(store))[0]).toEqual([
      { tool: "broken", status: "failure", content: "out of paper" },
      { tool: "ecko", status: "failure", content: expect.stringContaining("echo") },
      { tool: "echo", status: "failure", content: expect.stringContaining("text") },
      { tool: "echo", status: "success", content: "ok" },
    ]);
    expect((await run.result).status).toBe("completed");
  });

  it("sends the settings of the request with every step", async () => {
    const provider = scripted(twoSteps);
    const request = { model: "other", maxOutputTokens: 9, temperature: 0 };
    await createAgent({ provider, tools: [echo], request }).run("go").result;
    expect(provider.requests).toMatchObject([request, request]);
  });

  it("tells tools where they are", async () => {
    let context: object = {};
    const look = defineTool({
      name: "look",
      description: "Look around.",
      input: z.object({}),
      execute: (_, { state: { events, ...state }, conversation, user }) => {
        context = { conversation, user, events: types(events), ...state };
      },
    });
    const provider = scripted([{ chunks: block(["look", {}]) }, "ok"]);
    const agent = createAgent({ provider, tools: [look] });
    await agent.run("go", { conversation, user: "u", metadata: { plan: "b" } }).result;
    expect(context).toMatchObject({
      conversation,
      user: "u",
      events: ["record", "user"],
      metadata: { plan: "b" },
      step: 1,
    });
  });

  it("keeps the conversations of two users apart under the same name", async () => {
    const store = memoryStore();
    const provider = scripted(["a", "b"]);
    const agent = createAgent({ provider, store });
    await agent.run("mine", { conversation, user: "1" }).result;
    await agent.run("yours", { conversation, user: "2" }).result;
    expect(provider.requests[1]?.messages).toEqual([{ role: "user", content: "yours" }]);
  });

  it("names a new conversation, and says how it is called", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: scripted(["a", "b"]), store });
    const [one, two] = [agent.run("1"), agent.run("2")];
    await one.result;
    await two.result;
    expect(one.conversation).not.toBe(two.conversation);
    expect(await store.load({ conversation: one.conversation })).not.toEqual([]);
  });
});

describe("streaming modes", () => {
  const script = ["<think>a b</think>Hello there.", "<end>"].join("");
  const run = (stream: "token" | "event" | null, provider: Provider = scripted([script], { chunkSize: 5 })) =>
    createAgent({ provider }).run("go", { stream });

  it("token gives pieces as they arrive, numbered by unit", async () => {
    const events = await collect(run("token"));
    const pieces = events.filter((event) => event.type === "respond");
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((event) => event.content).join("")).toBe("Hello there.");
    expect(new Set(pieces.map((event) => event.unit)).size).toBe(1);
  });

  it("token shows a piece before the next is asked for", async () => {
    let asked = 0;
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        for (const text of ["one", " two", " three"]) {
          asked++;
          yield { type: "text", text };
        }
        yield { type: "finish", reason: "stop" };
      },
    };
    const seen: [string, number][] = [];
    for await (const event of run("token", provider)) if (event.type === "respond") seen.push([event.content, asked]);
    expect(seen).toEqual([
      ["one", 1],
      [" two", 2],
      [" three", 3],
    ]);
  });

  it("token announces calls with the ids under which they are stored", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: scripted([block(["echo", { text: "x" }]), "ok"]), tools: [echo], store });
    const call = (await collect(agent.run("go", { conversation, stream: "token" }))).find(
      ({ type }) => type === "call",
    );
    const [stored] = await store.load({ conversation }, { types: ["call"] });
    expect(call).toMatchObject({ id: expect.stringMatching(/^[A-Za-z0-9_-]{1,40}$/) });
    expect((stored as { id?: string }).id).toBe((call as { id?: string }).id);
  });

  it("event gives whole units", async () => {
    const events = await collect(run("event"));
    expect(events).toContainEqual({ type: "respond", content: "Hello there.", timestamp: expect.any(Number) });
    expect(types(events)).toEqual(["user", "think", "respond", "end", "metric"]);
  });

  it("null makes one non-streaming request a step and gives the same events", async () => {
    let generated = 0;
    const inner = scripted([script]);
    const provider: Provider = {
      ...inner,
      async generate(request) {
        generated++;
        const events: ModelEvent[] = [];
        for await (const event of inner.stream(request)) events.push(event);
        return events;
      },
    };
    expect(types(await collect(run(null, provider)))).toEqual(["user", "think", "respond", "end", "metric"]);
    expect(generated).toBe(1);
  });

  it("leaves the same log in every mode", async () => {
    const logs = await Promise.all(
      (["token", "event", null] as const).map(async (stream) => {
        const store = memoryStore();
        const agent = createAgent({ provider: scripted(twoSteps, { chunkSize: 2 }), tools: [echo], store });
        await agent.run("go", { conversation, stream }).result;
        return (await store.load({ conversation })).map((event) =>
          "content" in event ? [event.type, event.content] : [event.type],
        );
      }),
    );
    expect(logs[1]).toEqual(logs[0]);
    expect(logs[2]).toEqual(logs[0]);
  });

  it("gives reasoning that comes apart from text as think units, trimmed and in order", async () => {
    const events: ModelEvent[] = [
      { type: "reasoning", text: "\n first" },
      { type: "reasoning", text: " \ud83d" },
      { type: "reasoning", text: "\ude80 \n" },
      { type: "text", text: "<think>second</think>Ok" },
      { type: "reasoning", text: "third" },
      { type: "text", text: "ay" },
    ];
    const seen = await collect(run("event", scripted([{ events }])));
    expect(seen.filter(({ type }) => type === "think" || type === "respond")).toMatchObject([
      { type: "think", content: "first 🚀" },
      { type: "think", content: "second" },
      { type: "respond", content: "Ok" },
      { type: "think", content: "third" },
      { type: "respond", content: "ay" },
    ]);
  });
});

describe("reasoning apart from text", () => {
  const run = (events: ModelEvent[], options: object = {}) =>
    collect(createAgent({ provider: scripted([{ events }]), ...options }).run("go"));

  it("may hold any amount of white space in pieces of any size", async () => {
    const spaces = Array.from({ length: 20_000 }, (): ModelEvent => ({ type: "reasoning", text: " ".repeat(50) }));
    const events: ModelEvent[] = [
      { type: "reasoning", text: "if x:\n" },
      ...spaces,
      { type: "reasoning", text: "return" },
    ];
    const [, think] = await run([...events, { type: "text", text: "ok" }]);
    expect(think).toMatchObject({ type: "think", content: `if x:\n${" ".repeat(1_000_000)}return` });
  });

  it("between two pieces of text makes two trimmed units of them", async () => {
    const seen = await run([
      { type: "text", text: "Hello" },
      { type: "reasoning", text: "hm" },
      { type: "text", text: " world" },
    ]);
    expect(seen.slice(1, 4)).toMatchObject([{ content: "Hello" }, { content: "hm" }, { content: "world" }]);
  });

  it("is no part of what is kept of a refused block", async () => {
    const store = memoryStore();
    const provider = scripted([
      {
        events: [
          { type: "reasoning", text: "long thoughts ".repeat(9) },
          { type: "text", text: "A.<execute>[bad]" },
        ],
      },
      "ok",
    ]);
    await createAgent({ provider, store }).run("go", { conversation }).result;
    const [, record] = await store.load({ conversation }, { types: ["record"] });
    expect(record).toMatchObject({ kind: "rejected", data: { text: "<execute>[bad]" } });
  });

  it("carries the agent's clock, as every event does", async () => {
    const seen = await run(
      [
        { type: "reasoning", text: "a" },
        { type: "text", text: "b" },
      ],
      { clock: () => 5 },
    );
    expect(new Set(seen.map((event) => event.timestamp))).toEqual(new Set([5]));
  });
});

describe("what the model gets wrong", () => {
  it("becomes a failure result and the next step; the broken markup is stored and not replayed", async () => {
    const store = memoryStore();
    const provider = scripted(['Reading.<execute>[{"name":"echo"}]</execute>', "Sorry."]);
    const run = createAgent({ provider, tools: [echo], store }).run("go", { conversation });
    const events = await collect(run);
    expect(types(events)).toEqual(["user", "respond", "error", "metric", "respond", "metric"]);
    expect(provider.requests[1]?.messages.slice(1)).toEqual([
      { role: "assistant", content: "Reading." },
      {
        role: "user",
        content: expect.stringMatching(/^<results>\n\[\{"tool":"execute","status":"failure",.*no \\"args\\"/),
      },
    ]);
    const [, record] = await store.load({ conversation }, { types: ["record"] });
    expect(record).toMatchObject({
      kind: "rejected",
      data: { code: "malformed_execute", text: '<execute>[{"name":"echo"}]</execute>' },
    });
    expect((await run.result).status).toBe("completed");
  });

  it("never runs a block that was cut at the output limit", async () => {
    let ran = 0;
    const count = defineTool({ name: "count", description: "Count.", input: z.object({}), execute: () => ++ran });
    const provider = scripted([{ chunks: '<execute>[{"name":"count","args":{}}]', finish: "length" }, "ok"]);
    const events = await collect(createAgent({ provider, tools: [count] }).run("go"));
    expect(events).toContainEqual(expect.objectContaining({ code: "truncated_execute" }));
    expect(ran).toBe(0);
  });

  it.each([
    ["2 calls at most", { calls: 2 }, 2, 2],
    ["2 calls at most", { calls: 2 }, 3, 0],
    ["1,000 by default", {}, 1001, 0],
  ])("refuses a block of too many calls as a whole: %s, %j, of %i calls %i run", async (_, budget, written, runs) => {
    let ran = 0;
    const annotations = { readOnlyHint: true };
    const count = defineTool({
      name: "count",
      description: "n",
      input: z.object({}),
      annotations,
      execute: () => ++ran,
    });
    const block = JSON.stringify(Array(written).fill({ name: "count", args: {} }));
    const provider = scripted([`Now.<execute>${block}</execute>`, "ok"]);
    const store = memoryStore();
    const agent = createAgent({ provider, tools: [count], store, budget, execution: { earlyStart: true } });
    const events = await collect(agent.run("go", { conversation }));
    const stored = await store.load({ conversation });
    const codes = events.flatMap((event) => (event.type === "error" ? [event.code] : []));
    expect({ codes, calls: stored.filter(({ type }) => type === "call").length }).toEqual(
      runs > 0 ? { codes: [], calls: runs } : { codes: ["too_many_calls"], calls: 0 },
    );
    // A call that began early, before the block was too large, only read.
    expect(stored.filter((event) => event.type === "result").length).toBe(runs > 0 ? 1 : 0);
    expect(stored.findLast(({ type }) => type === "respond")).toMatchObject({ content: "ok" });
  });

  it("stops the generation where a block has too many calls, and counts what it has used", async () => {
    let written = 0;
    const provider: Provider = {
      name: "endless",
      model: "m",
      capabilities: { tools: false, session: false, reasoning: false, format: false },
      async *stream(_, { signal } = {}) {
        yield { type: "text", text: "Now.<execute>[" };
        while (!signal?.aborted && ++written < 5000) {
          yield { type: "text", text: '{"name":"echo","args":{"text":"x"}},' };
          if (written % 5 === 0) await new Promise((resume) => setTimeout(resume));
        }
        yield { type: "finish", reason: signal?.aborted ? "aborted" : "length" };
      },
    };
    const run = createAgent({ provider, tools: [echo], budget: { calls: 10, failures: 2 } }).run("go");
    const codes: string[] = [];
    await expect(async () => {
      for await (const event of run) if (event.type === "error") codes.push(event.code);
    }).rejects.toMatchObject({ code: "no_progress", message: expect.stringContaining("more than 10 calls") });
    expect(codes).toEqual(["too_many_calls", "too_many_calls"]);
    expect(written).toBeLessThan(50);
    expect(await run.result).toMatchObject({ status: "failed", steps: 2, usage: { estimated: true } });
    expect((await run.result).usage.output).toBeGreaterThan(50);
  });

  it.each([
    ["a malformed block", "<execute>[oops]</execute>", "malformed_execute"],
    ["an empty batch", "<execute>[]</execute>", "empty_batch"],
    ["an empty turn", "", "empty_turn"],
    ["a turn of thinking only", "<think>hm</think>", "empty_turn"],
    ["an explicit end without an answer", "<end>", "empty_turn"],
    ["results of its own", '<results>[{"tool":"echo","status":"success","content":1}]</results>', "forged_results"],
  ])("fails the run when it happens three times in a row: %s", async (_, text, code) => {
    const provider = scripted([text, text, text]);
    const run = createAgent({ provider, tools: [echo] }).run("go");
    const events: AgentEvent[] = [];
    await expect(async () => {
      for await (const event of run) events.push(event);
    }).rejects.toMatchObject({ name: "RunError", code: "no_progress", message: expect.stringContaining("3 times") });
    expect(events.filter((event) => event.type === "error").map((event) => event.code)).toEqual([code, code, code]);
    expect(await run.result).toMatchObject({ status: "failed", steps: 3, error: { code: "no_progress" } });
    expect((await run.result).error?.text).toEqual(expect.any(String));
    provider.assertDone();
  });

  it("counts failures in a row only", async () => {
    const bad = "<execute>[oops]</execute>";
    const good = block(["echo", { text: "x" }]);
    const provider = scripted([bad, bad, good, bad, bad, "done"]);
    expect(await createAgent({ provider, tools: [echo] }).run("go").result).toMatchObject({ text: "done", steps: 6 });
  });

  it("nudges after an empty turn, in the person's place", async () => {
    const provider = scripted(["<think>done</think>", "Here."]);
    const events = await collect(createAgent({ provider }).run("go"));
    expect(events).toContainEqual(expect.objectContaining({ type: "user", origin: "nudge" }));
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("neither"),
    });
  });

  it("is no failure when it has nothing to add to results and says so", async () => {
    const provider = scripted([block(["echo", { text: "x" }]), "<end>"]);
    expect(await createAgent({ provider, tools: [echo] }).run("go").result).toMatchObject({
      status: "completed",
      text: "",
    });
  });

  it("reads nothing that comes after the block, and stops the generation there", async () => {
    const provider = scripted([
      { chunks: [block(["echo", { text: "x" }]), "\n", "I already know", "!"], delay: 1, hang: true },
      "ok",
    ]);
    const agent = createAgent({ provider, tools: [echo], driver: protocolDriver({ grace: 60_000 }) });
    const events = await collect(agent.run("go"));
    expect(types(events)).toEqual(["user", "call", "execute", "result", "metric", "respond", "metric"]);
    expect(events[4]).toMatchObject({ type: "metric", step: { estimated: true } });
  });

  it("waits a short grace after the block, so that usage is exact", async () => {
    const usage = { input: 10, output: 5, cacheRead: 1, cacheWrite: 2, reasoning: 0 };
    const provider = scripted([
      { chunks: [block(["echo", { text: "x" }]), "\n"], delay: 1, usage },
      { chunks: "ok", usage },
    ]);
    const metrics = (await collect(createAgent({ provider, tools: [echo] }).run("go"))).filter(
      ({ type }) => type === "metric",
    );
    expect(metrics).toMatchObject([
      { step: usage, total: usage },
      { step: usage, total: { input: 20, output: 10, cacheRead: 2, cacheWrite: 4, reasoning: 0 } },
    ]);
    expect(metrics[0]).not.toHaveProperty("step.estimated");
  });

  it("gives up on usage when the grace is over", async () => {
    const provider = scripted([{ chunks: block(["echo", { text: "x" }]), hang: true }, "ok"]);
    const agent = createAgent({ provider, tools: [echo], driver: protocolDriver({ grace: 5 }) });
    expect(await agent.run("go").result).toMatchObject({ status: "completed", usage: { estimated: true } });
  });

  it.each(["length", "content_filter"] as const)("tells that an answer is not complete: %s", async (finish) => {
    const provider = scripted([{ chunks: "Half an ans", finish }]);
    expect(await createAgent({ provider }).run("go").result).toMatchObject({
      status: "completed",
      text: "Half an ans",
      stop: { reason: "finish_reason", context: { finish } },
    });
  });
});

describe("a model that has no room for an answer", () => {
  it.each([
    ["length", 64, "There is no answer: the model reached the output limit (maxOutputTokens: 64)."],
    ["length", undefined, "There is no answer: the model reached the output limit."],
    ["content_filter", 64, "There is no answer: the model was stopped by the provider's content filter."],
  ] as const)(
    "ends the run at the first time, and says why: %s, limit %s",
    async (finish, maxOutputTokens, message) => {
      const thinking = { events: [{ type: "reasoning", text: "Let me see." } as const], finish };
      for (const step of [{ chunks: "", finish }, { chunks: "<think>Let me see", finish }, thinking]) {
        const provider = scripted([step]);
        const request = maxOutputTokens === undefined ? {} : { maxOutputTokens };
        const run = createAgent({ provider, request }).run("go");
        expect(types(await collect(run))).not.toContain("error");
        expect(await run.result).toMatchObject({
          status: "completed",
          text: "",
          steps: 1,
          stop: {
            reason: "finish_reason",
            message,
            context: { finish, ...(finish === "length" && maxOutputTokens && { maxOutputTokens }) },
          },
        });
        provider.assertDone();
      }
    },
  );

  it("is told of its limit where a part of the answer came, too", async () => {
    const provider = scripted([{ chunks: "Half an ans", finish: "length" }]);
    const { stop } = await createAgent({ provider, request: { maxOutputTokens: 3 } }).run("go").result;
    expect(stop?.message).toBe("The answer is not complete: it reached the output limit (maxOutputTokens: 3).");
  });

  it("is nudged as before where it stopped by itself", async () => {
    const provider = scripted([{ chunks: "<think>hm</think>", finish: "stop" }, "Here."]);
    expect(await createAgent({ provider }).run("go").result).toMatchObject({ text: "Here.", steps: 2 });
  });
});

describe("the step limit", () => {
  it("stops the run and says where it stood", async () => {
    const again = block(["echo", { text: "x" }]);
    const provider = scripted([again, again]);
    const run = createAgent({ provider, tools: [echo], budget: { steps: 2 } }).run("go");
    expect(await run.result).toMatchObject({
      status: "stopped",
      steps: 2,
      stop: {
        reason: "steps_limit",
        message: expect.stringContaining("2/2"),
        context: { currentSteps: 2, maxSteps: 2 },
      },
    });
    provider.assertDone();
  });

  it("refuses a budget that allows nothing", () => {
    expect(() => createAgent({ provider: scripted([]), budget: { steps: 0 } })).toThrow("budget.steps is 0");
  });
});

describe("a run that cannot go on", () => {
  it("throws to whoever iterates, resolves `result`, and keeps the partial text", async () => {
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

  it("takes an answer that said `<end>` for complete although the connection broke after it", async () => {
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
  ])("counts a request that failed with %s before anything came as used: %s", async (code, isUsed) => {
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

  it("blames the provider for whatever its stream throws", async () => {
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

  it("takes a stream that ends without a finish for a broken one, and runs nothing of it", async () => {
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

  it("counts what a generation used that broke off after its block", async () => {
    const provider = scripted([
      { chunks: block(["echo", { text: "x" }]), error: new ProviderError("server", "down") },
      "ok",
    ]);
    const events = await collect(createAgent({ provider, tools: [echo] }).run("go"));
    const [first] = events.filter((event) => event.type === "metric");
    expect(first).toMatchObject({ step: { estimated: true, output: expect.any(Number) } });
    expect(first?.step.output).toBeGreaterThan(0);
  });

  it("takes usage that is no number for unknown", async () => {
    const usage = { input: 5, output: Number.NaN, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const result = await createAgent({ provider: scripted([{ chunks: "ok", usage }]) }).run("go").result;
    expect(result).toMatchObject({ status: "completed", usage: { output: 0, estimated: true } });
  });

  it("keeps what it is told well-formed", async () => {
    const provider = scripted(["ok"]);
    const [user] = await collect(createAgent({ provider, identity: "x\ud800" }).run("a\ud800b"));
    expect(user).toMatchObject({ content: "a\ufffdb" });
    expect(provider.requests[0]?.system.isWellFormed()).toBe(true);
  });

  it("resolves `result` when nobody iterates, and leaves no rejection behind", async () => {
    const provider = scripted([{ error: new ProviderError("server", "down") }]);
    expect(await createAgent({ provider }).run("go").result).toMatchObject({
      status: "failed",
      error: { message: "down" },
    });
  });

  it("fails with the driver's error when a driver throws", async () => {
    const driver = {
      ...protocolDriver(),
      // biome-ignore lint/correctness/useYield: a driver that fails has nothing to give
      async *step(): AsyncGenerator<never> {
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

describe("cancelling", () => {
  it("before the start makes no request", async () => {
    const provider = scripted([]);
    const run = createAgent({ provider }).run("go", { signal: AbortSignal.abort() });
    expect(types(await collect(run))).toEqual(["user", "interrupt", "cancelled"]);
    expect(await run.result).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    expect(provider.requests).toEqual([]);
  });

  it("while the model writes keeps what it said", async () => {
    const store = memoryStore();
    const controller = new AbortController();
    const provider = scripted([{ chunks: ["One. ", "<think>two</think>", "Thr"], hang: true }]);
    const run = createAgent({ provider, store }).run("go", {
      conversation,
      signal: controller.signal,
      stream: "token",
    });
    const seen: string[] = [];
    for await (const event of run) {
      seen.push(event.type);
      if (event.type === "respond" && event.content === "Thr") controller.abort();
    }
    expect(seen).toEqual(["user", "respond", "think", "respond", "metric", "interrupt", "cancelled"]);
    const stored = await store.load({ conversation });
    expect(
      stored.filter(({ type }) => type !== "record").map((event) => ("content" in event ? event.content : event.type)),
    ).toEqual(["go", "One.", "two", "Thr", "cancelled"]);
  });

  it("in the middle of a block is not the model's mistake", async () => {
    const controller = new AbortController();
    const provider = scripted([{ chunks: ["<execute>[", '{"name":"echo","args":{"text":"x"}}'], hang: true }]);
    const run = createAgent({ provider, tools: [echo] }).run("go", { signal: controller.signal, stream: "token" });
    const seen: string[] = [];
    for await (const event of run) {
      seen.push(event.type);
      if (event.type === "call") controller.abort();
    }
    expect(seen).toEqual(["user", "call", "metric", "interrupt", "cancelled"]);
  });

  it("while a tool runs tells the tool, and gives every call its result", async () => {
    const store = memoryStore();
    const controller = new AbortController();
    const provider = scripted([block(["echo", { text: "x" }], ["endless", {}])]);
    const agent = createAgent({
      provider,
      tools: [echo, endless],
      store,
      execution: {
        observer: (event) => event.type === "started" && event.call.name === "endless" && controller.abort(),
      },
    });
    const run = agent.run("go", { conversation, signal: controller.signal });
    expect(types(await collect(run)).slice(-4)).toEqual(["result", "metric", "interrupt", "cancelled"]);
    expect((await resultsIn(store))[0]?.map(({ status }) => status)).toEqual(["success", "failure"]);
  });

  it("does not wait for a provider that ignores its signal", async () => {
    const controller = new AbortController();
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        yield { type: "text", text: "Hel" };
        controller.abort();
        await new Promise(() => {});
      },
    };
    const run = createAgent({ provider }).run("go", { signal: controller.signal });
    expect(types(await collect(run))).toEqual(["user", "respond", "metric", "interrupt", "cancelled"]);
  });

  it("does not wait for a provider that ignores the end of its turn", async () => {
    const provider: Provider = {
      ...scripted([]),
      async *stream(request) {
        yield { type: "text", text: request.messages.length === 1 ? block(["echo", { text: "x" }]) : "ok<end>" };
        await new Promise(() => {});
      },
    };
    const agent = createAgent({ provider, tools: [echo], driver: protocolDriver({ grace: 5 }) });
    expect(await agent.run("go").result).toMatchObject({ status: "completed", text: "ok", usage: { estimated: true } });
  });

  it("does not wait for a provider that will not be left", async () => {
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        try {
          for (;;) yield { type: "text", text: "more " };
        } finally {
          await new Promise(() => {});
        }
      },
    };
    for await (const event of createAgent({ provider }).run("go", { stream: "token" })) {
      if (event.type === "respond") break;
    }
  });

  it.each(["call", "execute"])("leaving at `%s` gives the stored calls their results", async (type) => {
    const store = memoryStore();
    const provider = scripted([block(["endless", {}])]);
    const run = createAgent({ provider, tools: [endless], store }).run("go", { conversation });
    for await (const event of run) if (event.type === type) break;
    const log = await store.load({ conversation });
    expect(types(log.filter(({ type }) => type !== "record"))).toEqual(["user", "call", "result", "cancelled"]);
    expect(await resultsIn(store)).toEqual([
      [{ tool: "endless", status: "failure", content: expect.stringContaining("endless was cancelled") }],
    ]);
  });

  it("leaving the loop early cancels the run", async () => {
    const store = memoryStore();
    let aborted = false;
    const provider: Provider = {
      ...scripted([]),
      async *stream(_, options) {
        options?.signal?.addEventListener("abort", () => {
          aborted = true;
        });
        for (;;) yield { type: "text", text: "more " };
      },
    };
    const run = createAgent({ provider, store }).run("go", { conversation, stream: "token" });
    let pieces = 0;
    for await (const event of run) if (event.type === "respond" && ++pieces === 3) break;
    expect(aborted).toBe(true);
    expect(types(await store.load({ conversation }))).toEqual(["record", "user", "respond", "record", "cancelled"]);
    const result = await run.result;
    expect(result).toMatchObject({ status: "stopped", stop: { reason: "user_requested" }, usage: { estimated: true } });
    expect(result).not.toHaveProperty("error");
  });

  it("at any event leaves a log from which the next run goes on", async () => {
    const script = [`<think>a</think>b${block(["echo", { text: "x" }], ["endless", {}])}`, "<think>c</think>done<end>"];
    for (let at = 0; ; at++) {
      const store = memoryStore();
      const controller = new AbortController();
      const quick = { ...endless, execute: () => "over" };
      const agent = createAgent({ provider: scripted(script, { chunkSize: 4 }), tools: [echo, quick], store });
      let seen = 0;
      for await (const _ of agent.run("go", { conversation, stream: "token", signal: controller.signal })) {
        if (seen++ === at) controller.abort();
      }
      const messages = toMessages(await store.load({ conversation }), { form: "json" });
      expect(messages.at(-1)?.role).toBe("user");
      const next = scripted(["fine"]);
      expect(
        await createAgent({ provider: next, tools: [echo], store }).run("more", { conversation }).result,
      ).toMatchObject({ text: "fine" });
      expect(next.requests[0]?.messages.at(-1)).toEqual({ role: "user", content: "more" });
      if (!controller.signal.aborted) break;
    }
  });
});

describe("a provider without a type checker", () => {
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
  ])("fails the run with what is wrong, and keeps what was good: %s", async (_, event, problem) => {
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

describe("what a provider wants to be shown again", () => {
  const data = [{ type: "thinking", signature: "abc" }];
  const finish: ModelEvent = { type: "finish", reason: "stop", native: data };
  const text = (content: string): ModelEvent => ({ type: "text", text: content });
  const nativeIn = async (store: Store) =>
    (await store.load({ conversation }, { types: ["record"] })).filter(
      (event) => event.type === "record" && event.kind === "native",
    );

  it("is stored with the step it belongs to, also where calls ended it, and is told in the native form", async () => {
    const store = memoryStore();
    const provider = scripted([
      { events: [text(`Well.${block(["echo", { text: "x" }])}`), finish] },
      { events: [text("Done.<end>"), finish] },
    ]);
    const agent = createAgent({ provider, tools: [echo], store, request: { model: "other" } });
    expect(await agent.run("go", { conversation }).result).toMatchObject({ status: "completed", text: "Done." });
    const native = { provider: "scripted", model: "other", data };
    expect(await nativeIn(store)).toMatchObject([{ data: native }, { data: native }]);
    const log = await store.load({ conversation });
    const told = toMessages(log, { form: "native" });
    expect(told.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    expect(told.filter(({ role }) => role === "assistant")).toMatchObject([{ native }, { native }]);
    // The text form has no use for it, and no harm of it.
    const withoutNative = log.filter((event) => event.type !== "record" || event.kind !== "native");
    expect(toMessages(log, { form: "json" })).toEqual(toMessages(withoutNative, { form: "json" }));
    expect(provider.requests[1]?.messages).toEqual(toMessages(withoutNative, { form: "json" }).slice(0, 3));
  });

  it.each<[string, string, FinishReason]>([
    ["ran on after its block", `${block(["echo", { text: "x" }])}\nand more`, "stop"],
    ["wrote a block that was refused", "<execute>[oops]</execute>", "stop"],
    ["wrote a block that was cut off", '<execute>[{"name":"echo"', "length"],
  ])("is left out where the log does not tell what it tells: the model %s", async (_, content, reason) => {
    const store = memoryStore();
    const answers: ModelEvent[][] = [
      [text(content), { ...finish, reason }],
      [text("ok"), { type: "finish", reason: "stop" }],
    ];
    /** Tells its end also when it is stopped. */
    const deaf: Provider = {
      ...scripted([]),
      async *stream() {
        yield* answers.shift() ?? [];
      },
    };
    const run = createAgent({ provider: deaf, tools: [echo], store }).run("go", { conversation });
    expect(await run.result).toMatchObject({ status: "completed", text: "ok" });
    expect(await nativeIn(store)).toEqual([]);
  });
});

describe("going on after a crash", () => {
  const crashed = async (...events: Parameters<Store["append"]>[1]) => {
    const store = memoryStore();
    await store.append({ conversation }, [{ type: "user", content: "go", timestamp: 1 }, ...events]);
    return store;
  };
  const call = (id: string) =>
    ({ type: "call", content: '{"name":"echo","args":{"text":"x"}}', id, timestamp: 2 }) as const;

  it("answers calls that have no result before it asks again, and runs nothing twice", async () => {
    const finished = { id: "call_2", result: { tool: "echo", status: "success" as const, content: "x" } };
    const store = await crashed(
      call("call_1"),
      call("call_2"),
      { type: "record", kind: "started", data: { id: "call_1" }, timestamp: 3 },
      { type: "record", kind: "finished", data: finished, timestamp: 3 },
    );
    const provider = scripted(["I see."]);
    let ran = 0;
    const counted = { ...echo, annotations: {}, execute: () => ++ran };
    const events = await collect(createAgent({ provider, tools: [counted], store }).recover({ conversation }));
    expect(types(events)).toEqual(["result", "respond", "metric"]);
    expect(events[0]).toMatchObject({ payload: { tools_executed: 1, success_count: 1, failure_count: 1 } });
    expect(ran).toBe(0);
    expect(await resultsIn(store)).toEqual([
      [{ tool: "echo", status: "failure", content: expect.stringContaining("outcome unknown") }, finished.result],
    ]);
  });

  it("at any point of a run finds a log from which it goes on, and runs no call a second time", async () => {
    const script = [`<think>a</think>b${block(["pay", {}], ["echo", { text: "x" }])}`, "done<end>"];
    for (let survived = 0; ; survived++) {
      const inner = memoryStore();
      let appends = 0;
      const dying: Store = {
        ...inner,
        append: (...batch) => (appends++ < survived ? inner.append(...batch) : Promise.reject(new Error("killed"))),
      };
      let paid = 0;
      const pay = defineTool({ name: "pay", description: "Pay.", input: z.object({}), execute: () => ++paid });
      const provider = scripted(script, { chunkSize: 4 });
      const first = await createAgent({ provider, tools: [pay, echo], store: dying }).run("go", { conversation })
        .result;

      const next = scripted(["fine", "fine"]);
      const agent = createAgent({ provider: next, tools: [pay, echo], store: inner });
      expect(await agent.run("more", { conversation }).result).toMatchObject({ status: "completed", text: "fine" });
      expect(paid).toBeLessThanOrEqual(1);
      const results = (await resultsIn(inner)).flat();
      if (paid > 0) expect(results).toContainEqual(expect.objectContaining({ tool: "pay" }));
      if (first.status === "completed") break;
      expect(first).toMatchObject({ status: "failed", error: { code: "store", message: "killed" } });
    }
  });

  it("goes on at once when it is the model's turn", async () => {
    const provider = scripted(["Here."]);
    const agent = createAgent({ provider, store: await crashed() });
    expect(await agent.recover({ conversation }).result).toMatchObject({ text: "Here." });
    expect(provider.requests[0]?.messages).toEqual([{ role: "user", content: "go" }]);
  });

  it("asks the model to continue after half an answer", async () => {
    const provider = scripted(["rest"]);
    const store = await crashed({ type: "respond", content: "Half", timestamp: 2 });
    const events = await collect(createAgent({ provider, store }).recover({ conversation }));
    expect(events[0]).toMatchObject({ type: "user", origin: "recovery", content: "Continue." });
    expect(provider.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  it("has nothing to go on with in an empty conversation", async () => {
    const result = await createAgent({ provider: scripted([]) }).recover({ conversation: "none" }).result;
    expect(result).toMatchObject({ status: "failed", error: { code: "nothing_to_recover" } });
  });
});

describe("the run object", () => {
  it("starts at the first pull", async () => {
    const provider = scripted(["a"]);
    const run = createAgent({ provider }).run("go");
    await Promise.resolve();
    expect(provider.requests).toEqual([]);
    await run.result;
    expect(provider.requests).toHaveLength(1);
  });

  it("gives its events once", async () => {
    const run = createAgent({ provider: scripted(["a"]) }).run("go");
    await collect(run);
    expect(() => run[Symbol.asyncIterator]()).toThrow("once");
  });

  it("still gives its events to whoever asks for the result first and iterates at once", async () => {
    const run = createAgent({ provider: scripted(["a"]) }).run("go");
    const result = run.result;
    expect(types(await collect(run))).toContain("respond");
    expect(await result).toMatchObject({ text: "a" });
  });
});
