import { problemOf, type StrictServerName } from "@tooling/wires/strict";
import { describe, expect, it } from "vitest";

const user = { role: "user", content: "Hi" };
const assistant = { role: "assistant", content: "Hello." };
const text = { type: "string" };
const closed = { type: "object", properties: { a: text }, required: ["a"], additionalProperties: false };

function chatFormat(schema: object, strict = true): object {
  return { messages: [user], response_format: { type: "json_schema", json_schema: { name: "x", schema, strict } } };
}

function responsesFormat(schema: object): object {
  return { input: [user], text: { format: { type: "json_schema", name: "x", schema, strict: true } } };
}

function messagesFormat(schema: object): object {
  return { messages: [user], output_config: { format: { type: "json_schema", schema } } };
}

function chatTool(parameters: object): object {
  return { messages: [user], tools: [{ type: "function", function: { name: "t", parameters } }] };
}

describe("a server that enforces the rules of its original", () => {
  it.each<[StrictServerName, string, object]>([
    [
      "openai-chat",
      "'additionalProperties' is required to be supplied and to be false",
      chatFormat({ ...closed, additionalProperties: undefined }),
    ],
    ["openai-chat", "Missing 'a'", chatFormat({ ...closed, required: [] })],
    ["openai-chat", `got 'type: \\"array\\"'`, chatFormat({ type: "array", items: text })],
    ["openai-chat", `got 'type: \\"array\\"'`, chatFormat({ type: "array", items: text }, false)],
    [
      "openai-chat",
      "'minLength' is not permitted",
      chatFormat({ ...closed, properties: { a: { ...text, minLength: 1 } } }),
    ],
    [
      "openai-chat",
      "'oneOf' is not permitted",
      chatFormat({ ...closed, properties: { a: { type: "string", oneOf: [text] } } }),
    ],
    ["openai-chat", "must have a 'type' key", chatFormat({ ...closed, properties: { a: {} } })],
    [
      "openai-chat",
      "'uri' is not a valid format",
      chatFormat({ ...closed, properties: { a: { ...text, format: "uri" } } }),
    ],
    [
      "openai-chat",
      "$ref cannot have keywords",
      chatFormat({ ...closed, properties: { a: { $ref: "#", description: "x" } } }),
    ],
    ["openai-responses", "Missing 'a'", responsesFormat({ ...closed, required: [] })],
    ["openai-chat", "object schema missing properties", chatTool({ type: "object" })],
    ["openai-chat", "array schema missing items", chatTool({ type: "object", properties: { a: { type: "array" } } })],
    ["openai-chat", "at the top level", chatTool({ ...closed, anyOf: [] })],
    ["anthropic", "must be explicitly set to false", messagesFormat({ ...closed, additionalProperties: true })],
    [
      "anthropic",
      "properties minimum are not supported",
      messagesFormat({ ...closed, properties: { a: { type: "number", minimum: 1 } } }),
    ],
    ["anthropic", "Circular reference", messagesFormat({ ...closed, properties: { a: { $ref: "#" } } })],
    ["anthropic", "prefill", { messages: [user, assistant] }],
    [
      "anthropic",
      "at the top level",
      { messages: [user], tools: [{ name: "t", input_schema: { ...closed, oneOf: [] } }] },
    ],
    ["vllm-mistral", "must alternate", { messages: [user, user] }],
    ["vllm-mistral", "must alternate", { messages: [assistant, user] }],
    ["vllm-mistral", "Expected last role", { messages: [user, assistant] }],
    ["vllm-mistral", "after role 'tool'", { messages: [user, { role: "tool", content: "" }, user] }],
    ["vllm-mistral", "xgrammar", chatTool({ ...closed, properties: { a: { type: "number", multipleOf: 2 } } })],
    ["llama.cpp-gemma", "System role not supported", { messages: [{ role: "system", content: "" }, user] }],
    [
      "llama.cpp-gemma",
      "Pattern must start with",
      chatTool({ ...closed, properties: { a: { ...text, pattern: "a" } } }),
    ],
    ["llama.cpp-gemma", "Unrecognized schema", chatTool({ ...closed, properties: { a: { description: "x" } } })],
    ["lmstudio", "function.parameters.properties", chatTool({ type: "object" })],
    ["lmstudio", "Invalid tool_choice type", { ...chatTool(closed), tool_choice: {} }],
    ["lmstudio", "'type' must be a string", chatFormat({ ...closed, properties: { a: { type: ["string", "null"] } } })],
    [
      "ollama",
      "invalid JSON schema in format",
      chatFormat({ ...closed, properties: { a: { ...text, pattern: "[0-9]" } } }),
    ],
    ["ollama", "no low surrogate in string", { messages: [{ role: "user", content: "\ud83d" }] }],
    [
      "ollama",
      "no low surrogate in string",
      { messages: [{ tool_calls: [{ function: { arguments: '{"a":"\\ud83d"}' } }] }] },
    ],
  ])("refuses as %s does: %s", (name, words, body) => {
    expect(problemOf(name)(JSON.stringify(body))).toContain(words);
  });

  it.each<[StrictServerName, object]>([
    ["openai-chat", chatFormat(closed)],
    ["openai-chat", { messages: [user, user, { role: "user", content: "👍 \\ud83d" }] }],
    ["openai-responses", responsesFormat(closed)],
    ["anthropic", messagesFormat({ ...closed, required: [] })],
    ["vllm-mistral", { messages: [{ role: "system", content: "" }, user, assistant, user] }],
    ["llama.cpp-gemma", { messages: [user, assistant, user] }],
    ["lmstudio", chatTool({ type: "object", properties: {} })],
    ["ollama", chatFormat(closed)],
  ])("takes as %s does %j", (name, body) => {
    expect(problemOf(name)(JSON.stringify(body))).toBeUndefined();
  });
});
