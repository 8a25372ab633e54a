import type { ModelRequest } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { toRequest } from "./request.ts";

const defaults = { model: "gemini-3.8-flash" };
const plain: ModelRequest = { system: "Be brief.", messages: [{ role: "user", content: "Hi" }] };
const tools = [
  { name: "read", description: "Reads.", parameters: { properties: { file: { type: "string" } }, required: ["file"] } },
];

describe("toRequest", () => {
  it("holds only the system prompt and the contents if nothing else is asked for", () => {
    expect(toRequest(plain, defaults)).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    });
  });

  it.each(["", " \n"])("leaves out a system prompt that is %j", (system) => {
    expect(toRequest({ ...plain, system }, defaults)).not.toHaveProperty("systemInstruction");
  });

  it("declares tools by the JSON Schema of their parameters", () => {
    expect(toRequest({ ...plain, tools }, defaults).tools).toEqual([
      {
        functionDeclarations: [
          {
            name: "read",
            description: "Reads.",
            parametersJsonSchema: {
              type: "object",
              properties: { file: { type: "string" } },
              required: ["file"],
            },
          },
        ],
      },
    ]);
  });

  it.each([
    ["auto", { mode: "AUTO" }],
    ["required", { mode: "ANY" }],
    ["none", { mode: "NONE" }],
    [{ name: "read" }, { mode: "ANY", allowedFunctionNames: ["read"] }],
  ] as const)("translates the tool choice %j", (toolChoice, functionCallingConfig) => {
    expect(toRequest({ ...plain, tools, toolChoice }, defaults).toolConfig).toEqual({ functionCallingConfig });
  });

  it("leaves out a tool choice without tools, which the server refuses", () => {
    expect(toRequest({ ...plain, toolChoice: "none" }, defaults)).not.toHaveProperty("toolConfig");
  });

  it("gathers limit, temperature, stop sequences, format and thinking in the generation config", () => {
    const format = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
    const thinking = { includeThoughts: true, thinkingLevel: "low" };
    const request = { ...plain, maxOutputTokens: 9, temperature: 0, stop: ["", "</end>"], format };
    expect(toRequest(request, { ...defaults, thinking }).generationConfig).toEqual({
      maxOutputTokens: 9,
      temperature: 0,
      stopSequences: ["</end>"],
      responseMimeType: "application/json",
      responseJsonSchema: format,
      thinkingConfig: thinking,
    });
  });

  it("merges the generation config of the options, and lets them override every other field", () => {
    const options = {
      generationConfig: { temperature: 1, thinkingConfig: { thinkingBudget: 0 } },
      tools: [{ googleSearch: {} }],
      safetySettings: [],
    };
    const request = { ...plain, tools, temperature: 0, maxOutputTokens: 9, options };
    expect(toRequest(request, { ...defaults, thinking: { thinkingLevel: "low" } })).toMatchObject({
      tools: [{ googleSearch: {} }],
      safetySettings: [],
      generationConfig: { temperature: 1, maxOutputTokens: 9, thinkingConfig: { thinkingBudget: 0 } },
    });
  });

  it("refuses to ask for several candidates", () => {
    const request = { ...plain, options: { generationConfig: { candidateCount: 2 } } };
    expect(() => toRequest(request, defaults)).toThrow(
      expect.objectContaining({ code: "unsupported", message: expect.stringContaining("`candidateCount` is 2") }),
    );
  });
});
