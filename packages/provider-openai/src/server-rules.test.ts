import type { ModelMessage } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { deltaEvent, doneEvent } from "@tooling/wires/chat-events";
import { collect } from "@tooling/wires/collect";
import { serveStrict } from "@tooling/wires/strict";
import { describe, expect, it } from "vitest";
import { openai } from "./openai.ts";
import type { PresetName } from "./presets.ts";

type Body = Record<string, unknown> & { messages: object[] };

const user = (content: string): ModelMessage => ({ role: "user", content });
const format = { type: "object", properties: { a: { type: "string" }, note: { type: "string" } }, required: ["a"] };
const tool = (name: string) => ({ name, description: "", parameters: { type: "object" } });

/** The body that reaches the server. */
async function bodyOf(preset: PresetName | undefined, request: Partial<ModelRequest>): Promise<Body> {
  let sent: Body | undefined;
  const fetch = async (_: unknown, init?: RequestInit) => {
    sent = JSON.parse(String(init?.body));
    return new Response(deltaEvent({ content: "Hello." }, "stop") + doneEvent, {
      headers: { "content-type": "text/event-stream" },
    });
  };
  const given = preset ? { preset } : { api: "chat" as const };
  const provider = openai({ ...given, apiKey: "k", model: "m", fetch });
  await collect(provider.stream({ system: "", messages: [user("Hi")], ...request }));
  if (!sent) throw new Error("no request was made");
  return sent;
}

const presets = ["ollama", "llama.cpp", "vllm", "sglang", "lmstudio", "openrouter", "deepseek"] as const;

describe("the rules of a server", () => {
  it.each([undefined, ...presets])("order the messages for %s", async (preset) => {
    const { messages } = await bodyOf(preset, { messages: [user("a"), user("b")] });
    expect(messages).toEqual(preset ? [user("a\n\nb")] : [user("a"), user("b")]);
  });

  it.each([undefined, ...presets])("decide how %s gets the format of an answer", async (preset) => {
    const { response_format: sent } = await bodyOf(preset, { format, system: "Answer with JSON." });
    if (preset === "deepseek") return expect(sent).toEqual({ type: "json_object" });
    const note = { anyOf: [{ type: "string" }, { type: "null" }] };
    const properties = { a: { type: "string" }, note };
    const schema = { type: "object", properties, required: ["a", "note"], additionalProperties: false };
    expect(sent).toEqual({ type: "json_schema", json_schema: { name: "answer", schema, strict: true } });
  });

  it.each([
    ["the prompt does not speak of JSON", { format }],
    ["the answer is no object", { format: { type: "array" }, system: "Answer with JSON." }],
  ])("let DeepSeek answer freely if %s", async (_, request) => {
    expect(await bodyOf("deepseek", request)).not.toHaveProperty("response_format");
  });

  it("send a format that has no strict form as one that is not strict", async () => {
    const { response_format: sent } = await bodyOf(undefined, { format: { type: "object", additionalProperties: {} } });
    const schema = { type: "object", properties: {}, additionalProperties: true };
    expect(sent).toEqual({ type: "json_schema", json_schema: { name: "answer", schema, strict: false } });
  });

  it("keep patterns from servers that make grammars, also in the parameters of tools", async () => {
    const parameters = { type: "object", properties: { id: { type: "string", pattern: "\\d+" } } };
    const tools = [{ name: "read", description: "", parameters }];
    for (const preset of presets) expect(JSON.stringify(await bodyOf(preset, { tools }))).not.toContain('"pattern":');
    expect(JSON.stringify(await bodyOf(undefined, { tools }))).toContain('"pattern":');
  });

  it("offer LM Studio the one tool that must be called, because it takes no name", async () => {
    const tools = [tool("read"), tool("write")];
    const asked = { tools, toolChoice: { name: "write" } };
    const named = { type: "function", function: { name: "write" } };
    expect(await bodyOf("vllm", asked)).toMatchObject({ tool_choice: named, tools: [{}, {}] });
    const { tool_choice: choice, tools: offered } = await bodyOf("lmstudio", asked);
    expect(choice).toBe("required");
    expect(offered).toEqual([
      { type: "function", function: { ...tool("write"), parameters: { type: "object", properties: {} } } },
    ]);
  });

  it("give an answer without the wrapper and the nulls that a server demands", async () => {
    const server = await serveStrict("openai-chat", () => ({ value: [{ a: "x" }] }));
    const provider = openai({ apiKey: "k", baseURL: `${server.url}/v1` });
    const events = await collect(
      provider.stream({ system: "", messages: [user("Hi")], format: { type: "array", items: format } }),
    );
    expect(events.map((event) => (event.type === "text" ? event.text : "")).join("")).toBe('[{"a":"x"}]');
    expect(server.refused).toEqual([]);
  });
});
