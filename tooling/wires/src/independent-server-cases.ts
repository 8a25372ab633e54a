import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { expect, it } from "vitest";
import { collect, textOf } from "./collect.ts";
import { type IndependentServer, requestOf, weatherTools } from "./independent-server.ts";

/**
 * The tests that every wire passes against an independent server.
 *
 * @param finish the last event of a plain answer
 */
export function independentServerCases(
  { server, callIds: [oslo, bergen] }: IndependentServer,
  stream: (request: ModelRequest) => AsyncIterable<ModelEvent>,
  finish: object,
): void {
  it("streams text in pieces, usage and the finish", async () => {
    const events = await collect(stream(requestOf("hello")));
    expect(textOf(events)).toBe("Hello, how are you?");
    expect(events.filter((event) => event.type === "text").length).toBeGreaterThan(2);
    expect(events.slice(-2).map((event) => event.type)).toEqual(["usage", "finish"]);
    expect(events.at(-1)).toEqual(finish);
  });

  it("separates reasoning from text", async () => {
    const events = await collect(stream(requestOf("think")));
    const reasoning = events.map((event) => (event.type === "reasoning" ? event.text : "")).join("");
    expect(reasoning).toBe("Six times seven.");
    expect(textOf(events)).toBe("42");
  });

  it("yields the usage that the server reports", async () => {
    const usage = { input: 11, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    expect(await collect(stream(requestOf("cost")))).toContainEqual({ type: "usage", usage });
  });

  it("finishes with length at the limit", async () => {
    expect((await collect(stream(requestOf("long")))).at(-1)).toMatchObject({ reason: "length" });
  });

  it("yields whole tool calls after their deltas", async () => {
    const events = await collect(stream({ ...requestOf("weather"), tools: weatherTools }));
    expect(events.filter((event) => event.type === "tool_call")).toEqual<ModelEvent[]>([
      { type: "tool_call", id: oslo, name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "tool_call", id: bergen, name: "weather", arguments: '{"city":"Bergen"}' },
    ]);
    expect(events.at(-1)).toMatchObject({ reason: "tool_calls" });
  });

  it("reports how long a rate limit lasts", async () => {
    const failure = collect(stream(requestOf("busy")));
    await expect(failure).rejects.toMatchObject({ code: "rate_limit", status: 429, retryAfter: 3, retryable: true });
  });

  it.each([
    { chaos: { dropRate: 1 }, error: { code: "server", status: 500 } },
    { chaos: { malformedRate: 1 }, error: { code: "bad_response" } },
    { chaos: { disconnectRate: 1 }, error: { code: "connection" } },
    { chaos: { rateLimitRate: 1 }, error: { code: "rate_limit", status: 429 } },
  ])("maps the failure $chaos to a code", async ({ chaos, error }) => {
    server.setChaos(chaos);
    await expect(collect(stream(requestOf("hello")))).rejects.toMatchObject({ name: "ProviderError", ...error });
  });
}
