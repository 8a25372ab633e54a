import type { ModelMessage } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { independentServer, independentServerCases, requestOf, weatherTools } from "@tooling/wires";
import { collect, textOf } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { google } from "../google.ts";

const independent = independentServer({
  usage: { promptTokenCount: 11, candidatesTokenCount: 2 },
  callIds: ["fc_a", "fc_b"],
});
const { server } = independent;
const stream = (request: ModelRequest) => google({ baseURL: server.url, apiKey: "key-of-the-test" }).stream(request);

describe("google against an independent server of its wire", () => {
  independentServerCases(independent, stream, { type: "finish", reason: "stop", raw: "STOP" });

  it("sends the results of calls", async () => {
    const calls = ["a", "b"].map((name) => ({ id: `fc_${name}`, name: "weather", args: { city: name } }));
    const messages: ModelMessage[] = [
      ...requestOf("weather").messages,
      { role: "assistant", content: "", calls },
      { role: "tool", results: calls.map(({ id, name }) => ({ id, name, content: "Rain.", failed: false })) },
      ...requestOf("hello").messages,
    ];
    const said = await collect(stream({ ...requestOf("weather"), tools: weatherTools, messages }));
    expect(textOf(said)).toBe("Hello, how are you?");
  });
});
