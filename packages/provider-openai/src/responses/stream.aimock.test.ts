import type { ModelMessage } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { independentServer, independentServerCases, requestOf, weatherTools } from "@tooling/wires";
import { collect, textOf } from "@tooling/wires/collect";
import { beforeAll, describe, expect, it } from "vitest";
import { responsesProvider } from "../../test/support/responses-wire.ts";

const independent = independentServer({
  usage: { input_tokens: 11, output_tokens: 2, total_tokens: 13 },
  callIds: ["call_a", "call_b"],
});
const { server } = independent;
const stream = (request: ModelRequest) =>
  responsesProvider({ url: server.url, apiKey: "key-of-the-test" }).stream(request);

beforeAll(() => {
  server.onMessage("search", { content: "Found.", webSearches: ["cogency"] });
});

describe("the Responses wire against an independent server", () => {
  independentServerCases(independent, stream, expect.objectContaining({ reason: "stop", raw: "completed" }));

  it("sends reasoning back encrypted", async () => {
    const finish = (await collect(stream(requestOf("think")))).at(-1);
    const data = finish?.type === "finish" ? finish.native : undefined;
    expect(data).toMatchObject([{ type: "reasoning", encrypted_content: expect.any(String) }, { type: "message" }]);
    const messages: ModelMessage[] = [
      ...requestOf("think").messages,
      { role: "assistant", content: "42", native: { provider: "openai", model: "gpt-5.5", data: data ?? null } },
      { role: "user", content: "hello" },
    ];
    expect(textOf(await collect(stream({ system: "", messages })))).toBe("Hello, how are you?");
  });

  it("does not yield a call for a search of the server", async () => {
    const events = await collect(stream(requestOf("search")));
    expect(textOf(events)).toBe("Found.");
    expect(events.some((event) => event.type === "tool_call")).toBe(false);
    expect(events.at(-1)).toMatchObject({ reason: "stop" });
  });

  it("sends the results of calls", async () => {
    const messages: ModelMessage[] = [
      { role: "assistant", content: "", calls: [{ id: "call_a", name: "weather", args: { city: "Oslo" } }] },
      { role: "tool", results: [{ id: "call_a", name: "weather", content: "Rain.", failed: false }] },
      { role: "user", content: "hello" },
    ];
    await collect(stream({ system: "", messages, tools: weatherTools }));
    expect(server.getLastRequest()?.body).toMatchObject({
      messages: expect.arrayContaining([expect.objectContaining({ role: "tool", content: "Rain." })]),
    });
  });
});
