import type { ModelMessage } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { independentServer, independentServerCases, requestOf, weatherTools } from "@tooling/wires";
import { collect, textOf } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { anthropic } from "../anthropic.ts";

const independent = independentServer({
  usage: { input_tokens: 11, output_tokens: 2 },
  callIds: ["toolu_a", "toolu_b"],
});
const { server } = independent;
const stream = (request: ModelRequest) => anthropic({ baseURL: server.url, apiKey: "key-of-the-test" }).stream(request);

describe("anthropic against an independent server of its wire", () => {
  independentServerCases(independent, stream, { type: "finish", reason: "stop", raw: "end_turn" });

  it("keeps reasoning with its signature in the native blocks", async () => {
    const events = await collect(stream(requestOf("think")));
    expect(events.at(-1)).toMatchObject({
      native: [
        { type: "thinking", thinking: "Six times seven.", signature: expect.stringMatching(/./) },
        { type: "text", text: "42" },
      ],
    });
  });

  it("sends the results of calls", async () => {
    const calls = ["a", "b"].map((name) => ({ id: `toolu_${name}`, name: "weather", args: { city: name } }));
    const messages: ModelMessage[] = [
      ...requestOf("weather").messages,
      { role: "assistant", content: "", calls },
      { role: "tool", results: calls.map(({ id, name }) => ({ id, name, content: "Rain.", failed: false })) },
      ...requestOf("hello").messages,
    ];
    expect(textOf(await collect(stream({ ...requestOf("weather"), tools: weatherTools, messages })))).toBe(
      "Hello, how are you?",
    );
  });
});
