import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { collect, textOf } from "../../test/support/collect.ts";
import { anthropic } from "../anthropic.ts";

/** A server of the same wire that others wrote. */
const server = new LLMock({ port: 0, chunkSize: 5 });
const request = (content: string): ModelRequest => ({ system: "Be brief.", messages: [{ role: "user", content }] });
const model = () => anthropic({ baseURL: server.url, apiKey: "key-of-the-test" });

beforeAll(async () => {
  server.onMessage("hello", { content: "Hello, how are you?" });
  server.onMessage("think", { content: "42", reasoning: "Six times seven." });
  server.onMessage("cost", { content: "ok", usage: { input_tokens: 11, output_tokens: 2 } });
  server.onMessage("long", { content: "and so on", finishReason: "length" });
  server.onMessage("weather", {
    toolCalls: [
      { id: "toolu_a", name: "weather", arguments: '{"city":"Oslo"}' },
      { id: "toolu_b", name: "weather", arguments: '{"city":"Bergen"}' },
    ],
  });
  server.onMessage("busy", { error: { message: "Try later.", type: "rate_limit_error" }, status: 429, retryAfter: 3 });
  await server.start();
});
afterEach(() => server.clearChaos());
afterAll(() => server.stop());

describe("anthropic against an independent server of its wire", () => {
  it("streams text in pieces, usage and the finish", async () => {
    const events = await collect(model().stream(request("hello")));
    expect(textOf(events)).toBe("Hello, how are you?");
    expect(events.filter((event) => event.type === "text").length).toBeGreaterThan(2);
    expect(events.slice(-2).map((event) => event.type)).toEqual(["usage", "finish"]);
    expect(events.at(-1)).toEqual({ type: "finish", reason: "stop", raw: "end_turn" });
  });

  it("separates reasoning from text, with its signature in the native blocks", async () => {
    const events = await collect(model().stream(request("think")));
    const reasoning = events.map((event) => (event.type === "reasoning" ? event.text : "")).join("");
    expect(reasoning).toBe("Six times seven.");
    expect(textOf(events)).toBe("42");
    expect(events.at(-1)).toMatchObject({
      native: [
        { type: "thinking", thinking: "Six times seven.", signature: expect.stringMatching(/./) },
        { type: "text", text: "42" },
      ],
    });
  });

  it("yields the usage that the server reports", async () => {
    const events = await collect(model().stream(request("cost")));
    const usage = { input: 11, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    expect(events).toContainEqual({ type: "usage", usage });
  });

  it("finishes with length at the limit", async () => {
    expect((await collect(model().stream(request("long")))).at(-1)).toMatchObject({ reason: "length" });
  });

  it("yields whole tool calls after their deltas, and sends their results", async () => {
    const tools = [{ name: "weather", description: "The weather.", parameters: { type: "object" } }];
    const asked = request("weather");
    const events = await collect(model().stream({ ...asked, tools }));
    expect(events.filter((event) => event.type === "tool_call")).toEqual<ModelEvent[]>([
      { type: "tool_call", id: "toolu_a", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "tool_call", id: "toolu_b", name: "weather", arguments: '{"city":"Bergen"}' },
    ]);
    expect(events.at(-1)).toMatchObject({ reason: "tool_calls" });
    const calls = ["a", "b"].map((name) => ({ id: `toolu_${name}`, name: "weather", args: { city: name } }));
    const results = calls.map(({ id, name }) => ({ id, name, content: "Rain.", failed: false }));
    const messages = [
      ...asked.messages,
      { role: "assistant" as const, content: "", calls },
      { role: "tool" as const, results },
      ...request("hello").messages,
    ];
    expect(textOf(await collect(model().stream({ ...asked, tools, messages })))).toBe("Hello, how are you?");
  });

  it("reports how long a rate limit lasts", async () => {
    const failure = collect(model().stream(request("busy")));
    await expect(failure).rejects.toMatchObject({ code: "rate_limit", status: 429, retryAfter: 3, retryable: true });
  });

  it.each([
    { chaos: { dropRate: 1 }, error: { code: "server", status: 500 } },
    { chaos: { malformedRate: 1 }, error: { code: "bad_response" } },
    { chaos: { disconnectRate: 1 }, error: { code: "connection" } },
    { chaos: { rateLimitRate: 1 }, error: { code: "rate_limit", status: 429 } },
  ])("maps the failure $chaos to a code", async ({ chaos, error }) => {
    server.setChaos(chaos);
    await expect(collect(model().stream(request("hello")))).rejects.toMatchObject({ name: "ProviderError", ...error });
  });
});
