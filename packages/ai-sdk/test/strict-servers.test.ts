import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { collect, textOf } from "@tooling/wires/collect";
import { type StrictServerName, serveStrict } from "@tooling/wires/strict";
import { describe, expect, it } from "vitest";
import { aiSdk, type LanguageModel } from "../src/index.ts";
import { hi } from "./support/say.ts";

const chat = (url: string) =>
  createOpenAICompatible({ name: "local", baseURL: `${url}/v1`, supportsStructuredOutputs: true })("m");
const messages = (url: string) => createAnthropic({ baseURL: `${url}/v1`, apiKey: "k" })("claude-sonnet-5-5");

const servers: [StrictServerName, (url: string) => LanguageModel][] = [
  ["openai-chat", chat],
  ["vllm-mistral", chat],
  ["lmstudio", chat],
  ["ollama", chat],
  ["anthropic", messages],
];

describe.each(servers)("a server with the rules of %s", (name, modelOf) => {
  it("answers by a schema whose keys may be left out, and whose root is no object", async () => {
    const item = { type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a"] };
    const server = await serveStrict(name, () => ({ value: [{ a: "x" }] }));
    const provider = aiSdk({ model: modelOf(server.url) });
    const events = await collect(provider.stream({ ...hi, format: { type: "array", items: item } }));
    expect(JSON.parse(textOf(events))).toEqual([{ a: "x" }]);
    expect(server.refused).toEqual([]);
  });

  it("answers without a schema where its rules cannot say it", async () => {
    const server = await serveStrict(name, () => ({ value: { a: 1 } }));
    const provider = aiSdk({ model: modelOf(server.url) });
    const format = { type: "object", additionalProperties: { type: "number" } };
    for (const _ of ["first", "second"]) {
      expect(JSON.parse(textOf(await collect(provider.stream({ ...hi, format }))))).toEqual({ a: 1 });
    }
    expect(server.refused.length).toBeLessThan(2);
  });
});
