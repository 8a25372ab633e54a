import type { RunEvent } from "@cogency/protocol";
import { type ModelEvent, ProviderError, type ProviderErrorCode, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { auto } from "../src/auto.ts";
import { type AgentOptions, createAgent, type RunOptions } from "../src/index.ts";
import { block, collect, conversation, types } from "./support/fixtures.ts";

const down = (code: ProviderErrorCode = "connection") => new ProviderError(code, `${code} failed`);

/** An agent whose providers, `first` and `second`, play these steps. `effects` are those of its tool. */
function agentOf(first: ScriptedStep[], second: ScriptedStep[], options: Partial<AgentOptions> = {}) {
  const effects: string[] = [];
  const act = defineTool({
    name: "act",
    description: "Acts.",
    input: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
    execute: ({ what }) => {
      effects.push(what);
      return `did ${what}`;
    },
  });
  const store = memoryStore();
  const providers = [
    scripted(first, { name: "first", model: "one" }),
    scripted(second, { name: "second", model: "two" }),
  ] as const;
  const [provider, ...fallback] = providers;
  const agent = createAgent({ provider, fallback, tools: [act], store, ...options });
  const go = (more: RunOptions = {}) => agent.run("go", { conversation, ...more });
  return { ...agent, providers, store, effects, go };
}

describe("a provider that is down", () => {
  it("is followed by the next one in the same step, also if the budget has only one", async () => {
    const { go, providers } = agentOf([{ error: down() }], ["Hello.<end>"], { budget: { steps: 1 } });
    expect(await go().result).toMatchObject({ status: "completed", text: "Hello.", steps: 1 });
    expect(providers.map(({ requests }) => requests.length)).toEqual([1, 1]);
  });

  it("is followed by the next one, over the same log, and the consumer is told", async () => {
    const { go, providers, store } = agentOf([{ error: down() }], ["Hello.<end>"]);
    const run = go();
    const events = await collect(run);
    expect(await run.result).toMatchObject({ status: "completed", text: "Hello.", steps: 1 });
    expect(types(events)).toEqual(["user", "error", "respond", "end", "metric"]);
    expect(events[1]).toMatchObject({
      code: "provider_fallback",
      content: "first is down: connection failed. The run goes on with second.",
    });
    expect(providers.map(({ requests }) => requests.length)).toEqual([1, 1]);
    expect(providers[1].requests[0]?.messages).toEqual([{ role: "user", content: "go" }]);
    expect(types(await store.load({ conversation }))).not.toContain("error");
  });

  it("keeps the text that was shown, and the next one goes on after it", async () => {
    const { go, providers, store } = agentOf(
      [{ chunks: ["Half an ", "answer"], error: down("cut_stream") }],
      [" and the rest.<end>"],
    );
    const run = go({ stream: "token" });
    const shown = (await collect(run)).flatMap((event) => (event.type === "respond" ? [event.content] : []));
    expect(shown.join("|")).toBe("Half an| answer|and the rest.");
    expect((await run.result).text).toBe("and the rest.");
    const [request] = providers[1].requests;
    expect(request?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(request?.messages[1]).toMatchObject({ content: "Half an answer" });
    const said = (await store.load({ conversation })).flatMap((e) => (e.type === "respond" ? [e.content] : []));
    expect(said).toEqual(["Half an answer", "and the rest."]);
  });

  it("stores what the next one is told after text that broke off, so that later requests repeat it", async () => {
    const { go, providers, store } = agentOf(
      [{ chunks: ["Half an answer"], error: down("cut_stream") }],
      [block(["act", { what: "b" }]), "Done.<end>"],
    );
    const events = await collect(go());
    expect(types(events).slice(0, 4)).toEqual(["user", "respond", "error", "user"]);
    const asked = (await store.load({ conversation })).filter((event) => event.type === "user");
    expect(asked).toMatchObject([{ content: "go" }, { content: "Continue.", origin: "recovery" }]);
    const [first, second] = providers[1].requests;
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
  });

  it("runs no call of a block that broke off, and the next one's calls once", async () => {
    const begun = '<execute>[{"name":"act","args":{"what":"a"}},';
    const second = [block(["act", { what: "b" }]), "Done.<end>"];
    const { go, effects } = agentOf([{ chunks: [begun], error: down("cut_stream") }], second);
    expect(await go().result).toMatchObject({ status: "completed", text: "Done." });
    expect(effects).toEqual(["b"]);
  });

  it("does not act again where it breaks off after its block", async () => {
    const first = [{ chunks: [block(["act", { what: "a" }])], error: down("cut_stream") }, { error: down() }];
    const { go, effects, providers } = agentOf(first, ["Done.<end>"]);
    expect(await go().result).toMatchObject({ status: "completed" });
    expect(effects).toEqual(["a"]);
    expect(JSON.stringify(providers[1].requests[0]?.messages)).toContain("did a");
  });

  it.each<[string, ScriptedStep, string]>([
    ["a request that is wrong in itself", { error: down("bad_request") }, "provider"],
    ["an answer that is too large", { error: down("answer_too_large") }, "provider"],
  ])("is not blamed for %s", async (_, step, code) => {
    const { go, providers } = agentOf([step], []);
    expect((await go().result).error?.code).toBe(code);
    expect(providers[1].requests).toEqual([]);
  });

  it.each<ProviderErrorCode>([
    ...(["connection", "timeout", "overloaded", "server", "rate_limit", "authentication"] as const),
    ...(["permission", "missing_key", "not_found", "cut_stream", "bad_response"] as const),
  ])("is left for `%s`", async (code) => {
    const { go } = agentOf([{ error: down(code) }], ["Hi.<end>"]);
    expect((await go().result).text).toBe("Hi.");
  });

  it("fails the run when none is left, with the last one's error", async () => {
    const { go } = agentOf([{ error: down() }], [{ error: down("overloaded") }]);
    expect(await go().result).toMatchObject({ status: "failed", error: { message: "overloaded failed" } });
  });

  it("is not followed once the run is cancelled", async () => {
    const controller = new AbortController();
    const failing: ScriptedStep = () => {
      controller.abort();
      return { error: down() };
    };
    const { go, providers } = agentOf([failing], ["Hi."]);
    expect((await go({ signal: controller.signal }).result).status).toBe("stopped");
    expect(providers[1].requests).toEqual([]);
  });

  it("is asked first again by the next run", async () => {
    const { go, providers } = agentOf([{ error: down() }, "Back.<end>"], ["Hi.<end>"]);
    await go().result;
    expect((await go().result).text).toBe("Back.");
    expect(providers[1].requests).toHaveLength(1);
  });

  it("has a price, a model and options of its own", async () => {
    const usage = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const prices = { big: { input: 1, output: 1 }, two: { input: 3, output: 1 } };
    const request = { model: "big", options: { wire: "of the first" }, temperature: 0 };
    const begun: RunEvent[] = [];
    const { go, providers } = agentOf([{ chunks: ["Half"], error: down(), usage }], [{ chunks: "All.<end>", usage }], {
      prices,
      request,
    });
    const { cost } = await go({ on: (event) => begun.push(event) }).result;
    expect(cost).toBeGreaterThanOrEqual(3);
    expect(providers[1].requests[0]).toMatchObject({ temperature: 0 });
    expect(providers[1].requests[0]).not.toHaveProperty("model");
    expect(providers[1].requests[0]).not.toHaveProperty("options");
    const asked = begun.flatMap((event) => (event.type === "request_started" ? [event.model] : []));
    expect(asked).toEqual(["big", "two"]);
    expect(begun.filter(({ type }) => type === "step_started")).toHaveLength(2);
    expect(begun.filter(({ type }) => type === "step_ended")).toHaveLength(2);
  });

  it("makes the cost unknown where the next one has no price", async () => {
    const { go } = agentOf([{ error: down() }], ["Hi.<end>"], { prices: { one: { input: 1, output: 1 } } });
    expect((await go().result).cost).toBeUndefined();
  });
});

describe("auto", () => {
  it("asks each provider as it can: by native calls, or by the text protocol", async () => {
    const call: ModelEvent = { type: "tool_call", id: "1", name: "act", arguments: '{"what":"a"}' };
    const native = scripted([{ events: [call] }, { error: down() }], { name: "native", capabilities: { tools: true } });
    const text = scripted([block(["act", { what: "b" }]), "Done.<end>"], { name: "text" });
    const { go, effects } = agentOf([], [], { provider: native, fallback: [text], driver: auto() });
    expect(await go().result).toMatchObject({ status: "completed", text: "Done." });
    expect(effects).toEqual(["a", "b"]);
    expect(native.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(native.requests[0]).toHaveProperty("tools");
    expect(text.requests[0]).not.toHaveProperty("tools");
    expect(text.requests[0]?.system).toContain("<execute>");
  });
});
