import type { ModelMessage } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { ownFlavor } from "../presets.ts";
import { createRefusals } from "./refusals.ts";
import { toResponsesRequest } from "./request.ts";

const defaults = { name: "openai", model: "gpt-5.5", flavor: ownFlavor, refusals: createRefusals() };
const request: ModelRequest = { system: "Be brief.", messages: [{ role: "user", content: "Hi" }] };
const base = {
  model: "gpt-5.5",
  instructions: "Be brief.",
  input: [{ role: "user", content: "Hi" }],
  store: false,
  include: ["reasoning.encrypted_content"],
  stream: true,
};
const lookup = { name: "lookup", description: "Looks up.", parameters: { type: "object", properties: {} } };
const lookupTool = { type: "function", ...lookup, strict: false };

describe("toResponsesRequest", () => {
  it.each<{ title: string; given: Partial<ModelRequest>; body: object }>([
    { title: "asks for a stream that the server does not store", given: {}, body: base },
    { title: "leaves empty instructions out", given: { system: "" }, body: { ...base, instructions: undefined } },
    { title: "prefers the request's model", given: { model: "gpt-x" }, body: { ...base, model: "gpt-x" } },
    {
      title: "keeps the optional arguments of tools optional",
      given: { tools: [lookup], toolChoice: "required" },
      body: { ...base, tools: [lookupTool], tool_choice: "required" },
    },
    {
      title: "names the tool that must be called",
      given: { tools: [lookup], toolChoice: { name: "lookup" } },
      body: { ...base, tools: [lookupTool], tool_choice: { type: "function", name: "lookup" } },
    },
    { title: "chooses no tool where there is none", given: { tools: [], toolChoice: "auto" }, body: base },
    {
      title: "limits and cools the output",
      given: { maxOutputTokens: 9, temperature: 0 },
      body: { ...base, max_output_tokens: 9, temperature: 0 },
    },
    { title: "leaves stop sequences out, which the wire does not know", given: { stop: ["</x>"] }, body: base },
    {
      title: "constrains the output, beside what else is asked of the text",
      given: { format: { type: "object", properties: {} }, options: { text: { verbosity: "low" } } },
      body: {
        ...base,
        text: {
          format: {
            type: "json_schema",
            name: "answer",
            schema: { type: "object", properties: {}, required: [], additionalProperties: false },
            strict: true,
          },
          verbosity: "low",
        },
      },
    },
    {
      title: "lays options over everything, but always streams",
      given: { options: { store: true, include: [], reasoning: { effort: "low" }, stream: false } },
      body: { ...base, store: true, include: [], reasoning: { effort: "low" } },
    },
  ])("$title", ({ given, body }) => {
    expect(toResponsesRequest({ ...request, ...given }, defaults)).toEqual(body);
  });

  it("does not ask for the reasoning of a model that has refused it", () => {
    const refusals = { ...createRefusals(), models: new Set(["gpt-5.5"]) };
    expect(toResponsesRequest(request, { ...defaults, refusals })).not.toHaveProperty("include");
    expect(toResponsesRequest({ ...request, model: "gpt-x" }, { ...defaults, refusals })).toHaveProperty("include");
  });

  it.each<{ title: string; messages: ModelMessage[]; input: object[] }>([
    {
      title: "text",
      messages: [
        { role: "user", content: "One" },
        { role: "assistant", content: "Two" },
      ],
      input: [
        { role: "user", content: "One" },
        { role: "assistant", content: "Two" },
      ],
    },
    {
      title: "calls, and their results with the failed ones told apart",
      messages: [
        {
          role: "assistant",
          content: "I look.",
          calls: [
            { id: "call_1", name: "lookup", args: { topic: "a" } },
            { id: "call_2", name: "lookup", args: {} },
          ],
        },
        {
          role: "tool",
          results: [
            { id: "call_1", name: "lookup", content: "42", failed: false },
            { id: "call_2", name: "lookup", content: "no topic", failed: true },
          ],
        },
      ],
      input: [
        { role: "assistant", content: "I look." },
        { type: "function_call", call_id: "call_1", name: "lookup", arguments: '{"topic":"a"}' },
        { type: "function_call", call_id: "call_2", name: "lookup", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: "42" },
        { type: "function_call_output", call_id: "call_2", output: "Error: no topic" },
      ],
    },
    {
      title: "calls without text",
      messages: [{ role: "assistant", content: "", calls: [{ id: "call_1", name: "lookup", args: {} }] }],
      input: [{ type: "function_call", call_id: "call_1", name: "lookup", arguments: "{}" }],
    },
  ])("maps $title", ({ messages, input }) => {
    expect(toResponsesRequest({ ...request, messages }, defaults).input).toEqual(input);
  });

  describe("with native blocks", () => {
    const items = [
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" },
      { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "42" }] },
    ];
    const inputOf = (provider: string, model: string, asked?: string, refusals = createRefusals()) => {
      const messages: ModelMessage[] = [{ role: "assistant", content: "42", native: { provider, model, data: items } }];
      return toResponsesRequest({ ...request, messages, ...(asked ? { model: asked } : {}) }, { ...defaults, refusals })
        .input;
    };

    it("are sent to the provider and the model that made them", () => {
      expect(JSON.stringify(inputOf("openai", "gpt-5.5"))).toBe(JSON.stringify(items));
      expect(inputOf("openai", "gpt-x", "gpt-x")).toEqual(items);
    });

    it.each([
      { provider: "other", model: "gpt-5.5", asked: undefined },
      { provider: "openai", model: "gpt-4", asked: undefined },
      { provider: "openai", model: "gpt-5.5", asked: "gpt-x" },
    ])("of $provider and $model are left out of a request for $asked", ({ provider, model, asked }) => {
      expect(inputOf(provider, model, asked)).toEqual([{ role: "assistant", content: "42" }]);
    });

    it("are left out if the server has refused them", () => {
      const refusals = { ...createRefusals(), items: new Set(["rs_1"]) };
      expect(inputOf("openai", "gpt-5.5", undefined, refusals)).toEqual([{ role: "assistant", content: "42" }]);
    });
  });
});
