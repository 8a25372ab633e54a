import type { ModelMessage, NativeBlocks } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import type { Flavor } from "../flavor.ts";
import { type ModelRefusals, noRefusals } from "./refusals.ts";
import { toChatRequest } from "./request.ts";

const flavor: Flavor = { limitField: "max_completion_tokens", echoReasoning: false, thinkBlock: "none" };
const defaults = { name: "openai", model: "m-1", flavor };
const empty: ModelRequest = { system: "", messages: [] };

describe("toChatRequest", () => {
  it("asks for a stream with usage, and for nothing else by default", () => {
    expect(toChatRequest({ system: "Be brief.", messages: [{ role: "user", content: "Hi" }] }, defaults)).toEqual({
      model: "m-1",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("keeps messages one to one, also adjacent ones of one role, so that a longer request extends a shorter one", () => {
    const messages: ModelMessage[] = [
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "user", content: "<results>\n[]\n</results>" },
      { role: "user", content: "c" },
      { role: "assistant", content: "", calls: [{ id: "call_1", name: "read", args: { file: "a.txt" } }] },
      {
        role: "tool",
        results: [
          { id: "call_1", name: "read", content: "text", failed: false },
          { id: "call_2", name: "read", content: "gone", failed: true },
        ],
      },
    ];
    const whole = toChatRequest({ ...empty, messages }, defaults).messages;
    expect(whole).toEqual([
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "user", content: "<results>\n[]\n</results>" },
      { role: "user", content: "c" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"file":"a.txt"}' } }],
      },
      { role: "tool", tool_call_id: "call_1", content: "text" },
      { role: "tool", tool_call_id: "call_2", content: "Error: gone" },
    ]);
    for (let length = 0; length <= messages.length; length++) {
      const part = toChatRequest({ ...empty, messages: messages.slice(0, length) }, defaults).messages;
      expect(whole.slice(0, part.length)).toEqual(part);
    }
  });

  const schema = { type: "object", properties: { file: { type: "string" } } };
  const tools = [{ name: "read", description: "Read a file.", parameters: schema }];

  it.each<{ name: string; request: Partial<ModelRequest>; fields: object }>([
    { name: "its own model", request: { model: "m-2" }, fields: { model: "m-2" } },
    { name: "stop sequences", request: { stop: ["END"] }, fields: { stop: ["END"] } },
    { name: "a temperature of zero", request: { temperature: 0 }, fields: { temperature: 0 } },
    { name: "a limit", request: { maxOutputTokens: 9 }, fields: { max_completion_tokens: 9 } },
    {
      name: "a format",
      request: { format: schema },
      fields: { response_format: { type: "json_schema", json_schema: { name: "answer", schema, strict: true } } },
    },
    {
      name: "tools",
      request: { tools, toolChoice: "required" },
      fields: {
        tools: [{ type: "function", function: { name: "read", description: "Read a file.", parameters: schema } }],
        tool_choice: "required",
      },
    },
    {
      name: "a choice of tool",
      request: { tools, toolChoice: { name: "read" } },
      fields: { tool_choice: { type: "function", function: { name: "read" } } },
    },
    { name: "options as they are", request: { options: { seed: 1, model: "m-3" } }, fields: { seed: 1, model: "m-3" } },
    {
      name: "stream options merged with its own",
      request: { options: { stream: false, stream_options: { include_obfuscation: false, include_usage: false } } },
      fields: { stream: true, stream_options: { include_obfuscation: false, include_usage: true } },
    },
  ])("passes on $name", ({ request, fields }) => {
    expect(toChatRequest({ ...empty, ...request }, defaults)).toMatchObject(fields);
  });

  it.each(["tools", "tool_choice", "stop"])("leaves %s out if the request has none", (field) => {
    expect(toChatRequest({ ...empty, tools: [], toolChoice: "auto", stop: [] }, defaults)).not.toHaveProperty(field);
  });

  it("limits other servers by the field they know", () => {
    const body = toChatRequest(
      { ...empty, maxOutputTokens: 9 },
      {
        ...defaults,
        flavor: { ...flavor, limitField: "max_tokens" },
      },
    );
    expect(body).toMatchObject({ max_tokens: 9 });
    expect(body).not.toHaveProperty("max_completion_tokens");
  });

  it("limits by the other field if the server refuses the usual one", () => {
    const server = { ...defaults, flavor: { ...flavor, limitField: "max_tokens" } as const };
    const body = toChatRequest({ ...empty, maxOutputTokens: 9 }, server, { ...noRefusals, refusesMaxTokens: true });
    expect(body).toMatchObject({ max_completion_tokens: 9 });
    expect(body).not.toHaveProperty("max_tokens");
  });

  it.each([
    { name: "stop", refusals: { refusesStop: true }, field: "stop" },
    { name: "stream options", refusals: { refusesStreamOptions: true }, field: "stream_options" },
  ])("leaves out $name if the server refuses it, even from the options", ({ refusals, field }) => {
    const request = {
      ...empty,
      stop: ["END"],
      options: { stop: "END", stream_options: { include_obfuscation: false } },
    };
    expect(toChatRequest(request, defaults)).toHaveProperty(field);
    expect(toChatRequest(request, defaults, { ...noRefusals, ...refusals })).not.toHaveProperty(field);
  });

  describe("reasoning of earlier answers", () => {
    const details = [{ type: "reasoning.encrypted", data: "b3BhcXVl", id: "r-1", z: 1, a: 2 }];
    const data = { reasoning_content: "Six times seven.", reasoning_details: details };
    const own = { provider: "openai", model: "m-1", data };
    const echoing = { ...defaults, flavor: { ...flavor, echoReasoning: true } };
    const assistant = (native?: NativeBlocks): ModelMessage => ({
      role: "assistant",
      content: "42",
      ...(native ? { native } : {}),
    });
    const sent = (message: ModelMessage, ...rest: [typeof defaults, ModelRefusals?]) =>
      toChatRequest({ ...empty, messages: [message] }, ...rest).messages[0];

    it("is in every assistant message if the server demands it, empty if there is none", () => {
      expect(sent(assistant(own), echoing)).toMatchObject({ reasoning_content: "Six times seven." });
      expect(sent(assistant(), echoing)).toMatchObject({ reasoning_content: "" });
      expect(sent(assistant(), defaults, { ...noRefusals, demandsReasoning: true })).toHaveProperty(
        "reasoning_content",
      );
      expect(sent(assistant(own), defaults)).not.toHaveProperty("reasoning_content");
    });

    it("is sent back byte for byte as details", () => {
      expect(JSON.stringify(sent(assistant(own), defaults))).toBe(
        `{"role":"assistant","content":"42","reasoning_details":${JSON.stringify(details)}}`,
      );
    });

    it("is sent back with the calls that it led to, by position", () => {
      const signature = { google: { thought_signature: "c2lnbmVk", z: 1, a: 2 } };
      const calls = ["call_1", "call_2"].map((id) => ({ id, name: "read", args: {} }));
      const native = { ...own, data: { extra_content: [null, signature] } };
      const message = { role: "assistant", content: "", native } as const;
      const sentCalls = (message: ModelMessage) => JSON.stringify(Object(sent(message, defaults)).tool_calls);
      const wire = (id: string, rest = "") =>
        `{"id":"${id}","type":"function","function":{"name":"read","arguments":"{}"}${rest}}`;
      expect(sentCalls({ ...message, calls })).toBe(
        `[${wire("call_1")},${wire("call_2", `,"extra_content":${JSON.stringify(signature)}`)}]`,
      );
      expect(sentCalls({ ...message, calls: calls.slice(1) })).toBe(`[${wire("call_2")}]`);
      const foreign = { ...native, model: "m-2" };
      expect(sentCalls({ ...message, calls, native: foreign })).toBe(`[${wire("call_1")},${wire("call_2")}]`);
    });

    it.each([
      { name: "another provider", native: { ...own, provider: "openrouter" } },
      { name: "another model", native: { ...own, model: "m-2" } },
      { name: "another shape", native: { ...own, data: { reasoning_details: "none", reasoning_content: 1 } } },
    ])("is left out when it is of $name", ({ native }) => {
      expect(sent(assistant(native), echoing)).toEqual({ role: "assistant", content: "42", reasoning_content: "" });
    });
  });
});
