import { toMessages } from "@cogency/protocol";
import { isPersisted } from "@cogency/protocol/host";
import { ProviderError, scripted, withRetry } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createAgent } from "../src/create-agent.ts";
import { block, broken, collect, conversation, echo, resultsIn, twoSteps, types } from "./support/fixtures.ts";

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

  it("assembles every request from the store, and each begins with the previous one", async () => {
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

  it("reports a request that is retried, and continues", async () => {
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
    expect(types(await store.load({ conversation }))).toEqual(["record", "user", "respond", "record", "record"]);
  });

  it("counts no usage for a refused request if it is cancelled before the retry", async () => {
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

  it("reports the cost of each step and of the run if the price of the model is known", async () => {
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

  it("reports no cost if the price is unknown, and refuses an invalid price", async () => {
    const prices = { other: { input: 1, output: 1 } };
    const run = createAgent({ provider: scripted(["Done.<end>"]), prices }).run("go");
    expect((await collect(run)).find(({ type }) => type === "metric")).not.toHaveProperty("step.cost");
    expect(await run.result).not.toHaveProperty("cost");
    const wrong = { "scripted-1": { input: Number.NaN, output: 1 } };
    expect(() => createAgent({ provider: scripted([]), prices: wrong })).toThrow(RangeError);
  });

  it("stores every event before the consumer gets it as a whole unit", async () => {
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

  it("stores the beginning and the end of each call as they happen", async () => {
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
      "run",
    ]);
    expect(records[2]).toMatchObject({ data: { result: { tool: "echo", status: "success", content: "x" } } });
  });

  it("gives one result per call, in call order, if one fails, one is unknown and one has invalid arguments", async () => {
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

  it("gives tools the conversation, the user and the state", async () => {
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

  it("gives a new conversation a name, and returns it", async () => {
    const store = memoryStore();
    const agent = createAgent({ provider: scripted(["a", "b"]), store });
    const [one, two] = [agent.run("1"), agent.run("2")];
    await one.result;
    await two.result;
    expect(one.conversation).not.toBe(two.conversation);
    expect(await store.load({ conversation: one.conversation })).not.toEqual([]);
  });
});
