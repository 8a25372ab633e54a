import type { ModelRequest } from "@cogency/provider";
import { independentServer, independentServerCases, requestOf } from "@tooling/wires";
import { collect } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { openai } from "../openai.ts";

const independent = independentServer({
  usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 },
  callIds: ["call_a", "call_b"],
});
const { server } = independent;
const stream = (request: ModelRequest) =>
  openai({ baseURL: `${server.url}/v1`, apiKey: "key-of-the-test" }).stream(request);

describe("openai against an independent server of its wire", () => {
  independentServerCases(independent, stream, { type: "finish", reason: "stop", raw: "stop" });

  it("sends what the server expects", async () => {
    await collect(stream(requestOf("hello")));
    expect(server.getLastRequest()?.body).toMatchObject({
      model: "gpt-5.5",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hello" },
      ],
      stream: true,
    });
  });
});
