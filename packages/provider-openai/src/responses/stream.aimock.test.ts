import type { ModelMessage } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { collect, textOf } from "../../test/support/collect.ts";
import { responsesProvider } from "../../test/support/responses-wire.ts";

/** A server of the same wire that others wrote. */
const server = new LLMock({ port: 0, chunkSize: 5 });
const request = (content: string): ModelRequest => ({ system: "Be brief.", messages: [{ role: "user", content }] });
const stream = (asked: ModelRequest) => responsesProvider({ url: server.url, apiKey: "key-of-the-test" }).stream(asked);
const tools = [{ name: "weather", description: "The weather.", parameters: { type: "object" } }];

beforeAll(async () => {
  server.onMessage("hello", { content: "Hello, how are you?" });
  server.onMessage("think", { content: "42", reasoning: "Six times seven." });
  server.onMessage("cost", { content: "ok", usage: { input_tokens: 11, output_tokens: 2, total_tokens: 13 } });
  server.onMessage("long", { content: "and so on", finishReason: "length" });
  server.onMessage("search", { content: "Found.", webSearches: ["cogency"] });
  server.onMessage("weather", {
    toolCalls: [
      { id: "call_a", name: "weather", arguments: '{"city":"Oslo"}' },
      { id: "call_b", name: "weather", arguments: '{"city":"Bergen"}' },
    ],
  });
  server.onMessage("busy", { error: { message: "Try later.", type: "rate_limit_error" }, status: 429, retryAfter: 3 });
  await server.start();
});
afterEach(() => server.clearChaos());
afterAll(() => server.stop());

describe("the Responses wire against an independent server", () => {
  it("streams text in pieces, usage and the finish", async () => {
    const events = await collect(stream(request("hello")));
    expect(textOf(events)).toBe("Hello, how are you?");
    expect(events.filter((event) => event.type === "text").length).toBeGreaterThan(2);
    expect(events.slice(-2).map((event) => event.type)).toEqual(["usage", "finish"]);
    expect(events.at(-1)).toMatchObject({ reason: "stop", raw: "completed" });
  });

  it("separates reasoning from text, and sends it back encrypted", async () => {
    const events = await collect(stream(request("think")));
    const reasoning = events.map((event) => (event.type === "reasoning" ? event.text : "")).join("");
    expect(reasoning).toBe("Six times seven.");
    expect(textOf(events)).toBe("42");

    const finish = events.at(-1);
    const data = finish?.type === "finish" ? finish.native : undefined;
    expect(data).toMatchObject([{ type: "reasoning", encrypted_content: expect.any(String) }, { type: "message" }]);
    const messages: ModelMessage[] = [
      ...request("think").messages,
      { role: "assistant", content: "42", native: { provider: "openai", model: "gpt-5.5", data: data ?? null } },
      { role: "user", content: "hello" },
    ];
    expect(textOf(await collect(stream({ system: "", messages })))).toBe("Hello, how are you?");
  });

  it("yields the usage that the server reports", async () => {
    const usage = { input: 11, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    expect(await collect(stream(request("cost")))).toContainEqual({ type: "usage", usage });
  });

  it("finishes with length at the limit", async () => {
    expect((await collect(stream(request("long")))).at(-1)).toMatchObject({ reason: "length" });
  });

  it("does not yield a call for a search of the server", async () => {
    const events = await collect(stream(request("search")));
    expect(textOf(events)).toBe("Found.");
    expect(events.some((event) => event.type === "tool_call")).toBe(false);
    expect(events.at(-1)).toMatchObject({ reason: "stop" });
  });

  it("yields whole tool calls after their deltas, and sends their results", async () => {
    const events = await collect(stream({ ...request("weather"), tools }));
    expect(events.filter((event) => event.type === "tool_call")).toEqual<ModelEvent[]>([
      { type: "tool_call", id: "call_a", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "tool_call", id: "call_b", name: "weather", arguments: '{"city":"Bergen"}' },
    ]);
    expect(events.at(-1)).toMatchObject({ reason: "tool_calls" });

    const messages: ModelMessage[] = [
      { role: "assistant", content: "", calls: [{ id: "call_a", name: "weather", args: { city: "Oslo" } }] },
      { role: "tool", results: [{ id: "call_a", name: "weather", content: "Rain.", failed: false }] },
      { role: "user", content: "hello" },
    ];
    await collect(stream({ system: "", messages, tools }));
    expect(server.getLastRequest()?.body).toMatchObject({
      messages: expect.arrayContaining([expect.objectContaining({ role: "tool", content: "Rain." })]),
    });
  });

  it("reports how long a rate limit lasts", async () => {
    const failure = collect(stream(request("busy")));
    await expect(failure).rejects.toMatchObject({ code: "rate_limit", status: 429, retryAfter: 3, retryable: true });
  });

  it.each([
    { chaos: { dropRate: 1 }, error: { code: "server", status: 500 } },
    { chaos: { malformedRate: 1 }, error: { code: "bad_response" } },
    { chaos: { disconnectRate: 1 }, error: { code: "connection" } },
    { chaos: { rateLimitRate: 1 }, error: { code: "rate_limit", status: 429 } },
  ])("maps the failure $chaos to a code", async ({ chaos, error }) => {
    server.setChaos(chaos);
    await expect(collect(stream(request("hello")))).rejects.toMatchObject({ name: "ProviderError", ...error });
  });
});
