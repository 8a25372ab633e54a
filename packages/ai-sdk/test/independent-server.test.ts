import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { independentServer, independentServerCases } from "@tooling/wires";
import { describe } from "vitest";
import { aiSdk } from "../src/index.ts";

const apiKey = "key-of-the-test";

describe("@ai-sdk/openai-compatible against an independent server of its wire", () => {
  const independent = independentServer({
    usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 },
    callIds: ["call_a", "call_b"],
  });
  const { server } = independent;
  const open = () => createOpenAICompatible({ name: "local", baseURL: `${server.url}/v1`, apiKey, includeUsage: true });
  const finish = { type: "finish", reason: "stop", raw: "stop" };
  independentServerCases(independent, (request) => aiSdk({ model: open()("gpt-5.5") }).stream(request), finish);
});

describe("@ai-sdk/anthropic against an independent server of its wire", () => {
  const independent = independentServer({
    usage: { input_tokens: 11, output_tokens: 2 },
    callIds: ["toolu_a", "toolu_b"],
  });
  const { server } = independent;
  const open = () => createAnthropic({ baseURL: `${server.url}/v1`, apiKey });
  const finish = { type: "finish", reason: "stop", raw: "end_turn" };
  independentServerCases(
    independent,
    (request) => aiSdk({ model: open()("claude-sonnet-4-5") }).stream(request),
    finish,
  );
});

describe("@ai-sdk/google against an independent server of its wire", () => {
  const independent = independentServer({
    usage: { promptTokenCount: 11, candidatesTokenCount: 2 },
    callIds: ["fc_a", "fc_b"],
  });
  const { server } = independent;
  const open = () => createGoogle({ baseURL: `${server.url}/v1beta`, apiKey });
  const finish = { type: "finish", reason: "stop", raw: "STOP" };
  independentServerCases(
    independent,
    (request) => aiSdk({ model: open()("gemini-2.5-flash") }).stream(request),
    finish,
  );
});
