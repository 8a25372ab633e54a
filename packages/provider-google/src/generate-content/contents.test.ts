import type { AssistantMessage, JsonObject, ModelMessage } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { toContents } from "./contents.ts";

const model = "gemini-3.8-flash";
const question: ModelMessage = { role: "user", content: "Weather?" };
const calls = ["Oslo", "Bergen"].map((city) => ({ id: `call_${city}`, name: "weather", args: { city } }));
const results: ModelMessage = {
  role: "tool",
  results: [
    { id: "call_Oslo", name: "weather", content: "Rain.", failed: false },
    { id: "call_Bergen", name: "weather", content: "No station.", failed: true },
  ],
};
const resultParts = [
  { functionResponse: { id: "call_Oslo", name: "weather", response: { output: "Rain." } } },
  { functionResponse: { id: "call_Bergen", name: "weather", response: { error: "No station." } } },
];
const signedParts: JsonObject[] = [
  { text: "Two cities.", thought: true },
  { text: "I look." },
  { functionCall: { name: "weather", args: { city: "Oslo" } }, thoughtSignature: "c2lnbmVk" },
  { functionCall: { id: "call_Bergen", name: "weather", args: { city: "Bergen" } } },
  { text: "", thoughtSignature: "bGFzdA==" },
];
const signed: AssistantMessage = {
  role: "assistant",
  content: "I look.",
  calls,
  native: { provider: "google", model, data: signedParts },
};
const [, , first, second, last] = signedParts;

describe("toContents", () => {
  it("gives calls and their results the same ids, names and order", () => {
    const answer: ModelMessage = { role: "assistant", content: "I look.", calls };
    expect(toContents([question, answer, results], "gemini-2.5-pro")).toEqual([
      { role: "user", parts: [{ text: "Weather?" }] },
      {
        role: "model",
        parts: [
          { text: "I look." },
          { functionCall: { id: "call_Oslo", name: "weather", args: { city: "Oslo" } } },
          { functionCall: { id: "call_Bergen", name: "weather", args: { city: "Bergen" } } },
        ],
      },
      { role: "user", parts: resultParts },
    ]);
  });

  it("joins adjacent messages of one role, results first", () => {
    const messages: ModelMessage[] = [question, { role: "assistant", content: "", calls }, question, results];
    expect(toContents(messages, "gemini-2.5-pro").at(-1)).toEqual({
      role: "user",
      parts: [...resultParts, { text: "Weather?" }],
    });
  });

  it("lets the user begin, and leaves nothing empty", () => {
    const messages: ModelMessage[] = [
      { role: "assistant", content: "Hello." },
      { role: "user", content: "" },
      { role: "assistant", content: "" },
    ];
    expect(toContents(messages, model)).toEqual([
      { role: "user", parts: [{ text: "(What was said before is not shown.)" }] },
      { role: "model", parts: [{ text: "Hello." }] },
      { role: "user", parts: [{ text: "(empty message)" }] },
    ]);
  });

  it("sends the parts of an earlier answer back as they came, each signature on its part, with the ids of the message", () => {
    const [, content] = toContents([question, JSON.parse(JSON.stringify(signed)), results], model);
    expect(content).toEqual({
      role: "model",
      parts: [
        { text: "Two cities.", thought: true },
        { text: "I look." },
        { ...first, functionCall: { id: "call_Oslo", name: "weather", args: { city: "Oslo" } } },
        second,
        last,
      ],
    });
  });

  it.each<[string, AssistantMessage]>([
    ["another provider", { ...signed, native: { provider: "openai", model, data: signedParts } }],
    ["another model", { ...signed, native: { provider: "google", model: "gemini-2.5-pro", data: signedParts } }],
    ["a call less", { ...signed, calls: calls.slice(1) }],
    ["other arguments", { ...signed, calls: calls.map((call) => ({ ...call, args: { city: "Rome" } })) }],
    ["another shape", { ...signed, native: { provider: "google", model, data: { parts: signedParts } } }],
    ["other words", { ...signed, content: "I look. Now." }],
    ["no parts", { ...signed, native: { provider: "google", model, data: [] } }],
  ])("leaves out native parts of %s", (_, message) => {
    const sent = JSON.stringify(toContents([question, message], model));
    expect(sent).not.toContain("c2lnbmVk");
    expect(sent).not.toContain("bGFzdA==");
    expect(sent).toContain("I look.");
  });

  it.each([
    ["gemini-3.8-flash", true],
    ["models/gemini-4-argon", true],
    ["gemini-flash-latest", true],
    ["gemini-2.5-pro", false],
    ["models/gemini-2.5-flash", false],
    ["gemma-3-27b-it", false],
  ])("marks the first call without a signature as one that has none, for %s: %s", (name, isMarked) => {
    const answer: ModelMessage = { role: "assistant", content: "", calls };
    const parts = toContents([question, answer], name)[1]?.parts ?? [];
    expect(parts.map((part) => part.thoughtSignature)).toEqual([
      isMarked ? "skip_thought_signature_validator" : undefined,
      undefined,
    ]);
  });

  it("extends the bytes of a shorter conversation", () => {
    const all: ModelMessage[] = [question, signed, results, { role: "assistant", content: "Rain." }, question];
    const whole = JSON.stringify(toContents(all, model));
    for (let length = 1; length < all.length; length++) {
      const begin = JSON.stringify(toContents(all.slice(0, length), model)).replace(/\]\}\]$/, "");
      expect(whole.startsWith(begin)).toBe(true);
    }
  });
});
