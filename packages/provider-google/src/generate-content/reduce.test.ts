import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { textOf } from "@tooling/wires/collect";
import { chunk } from "@tooling/wires/gemini";
import { describe, expect, it } from "vitest";
import { conclude, initialState, reduce, usageOfAborted } from "./reduce.ts";

const request: ModelRequest = { system: "", messages: [{ role: "user", content: "Hi" }] };

function stateAfter(chunks: readonly unknown[]) {
  return chunks.reduce((state: typeof initialState, one) => reduce(state, one)[0], initialState);
}

function eventsOf(chunks: readonly unknown[]): ModelEvent[] {
  const events: ModelEvent[] = [];
  let state = initialState;
  for (const one of chunks) {
    const [next, some] = reduce(state, one);
    events.push(...some);
    state = next;
  }
  return [...events, ...conclude(state)];
}

describe("reduce", () => {
  it("separates thoughts from text", () => {
    const events = eventsOf([chunk([{ text: "Hm.", thought: true }, { text: "Yes" }]), chunk([{ text: "." }], "STOP")]);
    expect(events).toEqual([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Yes" },
      { type: "text", text: "." },
      { type: "finish", reason: "stop", raw: "STOP" },
    ]);
  });

  it("yields a call as one delta when it comes, and whole at the end", () => {
    const call = { functionCall: { id: "fc-1", name: "weather", args: { city: "Oslo" } } };
    expect(eventsOf([chunk([call]), chunk([], "STOP")])).toEqual([
      { type: "tool_call_delta", index: 0, id: "fc-1", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "tool_call", id: "fc-1", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "finish", reason: "tool_calls", raw: "STOP" },
    ]);
  });

  it("gives calls ids if the server gives none, and calls without arguments {}", () => {
    const parts = [{ functionCall: { name: "a" } }, { functionCall: { name: "b", args: {} } }];
    const calls = eventsOf([chunk(parts, "STOP")]).filter(({ type }) => type === "tool_call");
    expect(calls).toEqual([
      { type: "tool_call", id: "call_0", name: "a", arguments: "{}" },
      { type: "tool_call", id: "call_1", name: "b", arguments: "{}" },
    ]);
  });

  it("keeps the parts of a signed answer as they came, and joins only pieces of plain text", () => {
    const call = { functionCall: { name: "weather", args: { city: "Oslo" } }, thoughtSignature: "Y2FsbA==" };
    const code = { executableCode: { language: "PYTHON", code: "1" } };
    const chunks = [
      chunk([{ text: "Hm", thought: true }]),
      chunk([{ text: ".", thought: true }]),
      chunk([{ text: "I " }]),
      chunk([{ text: "" }, {}]),
      chunk([{ text: "look" }]),
      chunk([{ text: ".", thoughtSignature: "dGV4dA==" }]),
      chunk([{ text: " Now." }, code, call]),
      chunk([{ text: "", thoughtSignature: "bGFzdA==" }], "STOP"),
    ];
    expect(eventsOf(chunks).at(-1)).toEqual({
      type: "finish",
      reason: "tool_calls",
      raw: "STOP",
      native: [
        { text: "Hm.", thought: true },
        { text: "I look" },
        { text: ".", thoughtSignature: "dGV4dA==" },
        { text: " Now." },
        code,
        call,
        { text: "", thoughtSignature: "bGFzdA==" },
      ],
    });
  });

  it("has no native parts if text, thoughts and calls are all there is", () => {
    const parts = [{ text: "Hm.", thought: true }, { text: "Hi." }, { functionCall: { name: "a", args: {} } }];
    expect(eventsOf([chunk(parts, "STOP")]).at(-1)).not.toHaveProperty("native");
  });

  it.each([
    [
      "thoughts, which are no part of the candidates",
      { promptTokenCount: 29, candidatesTokenCount: 15, totalTokenCount: 848, thoughtsTokenCount: 804 },
      { input: 29, output: 819, cacheRead: 0, cacheWrite: 0, reasoning: 804 },
    ],
    [
      "cached tokens, which are a part of the prompt",
      { promptTokenCount: 1000, cachedContentTokenCount: 900, candidatesTokenCount: 5, totalTokenCount: 1005 },
      { input: 100, output: 5, cacheRead: 900, cacheWrite: 0, reasoning: 0 },
    ],
    [
      "results of the server's tools, which are no part of the prompt",
      { promptTokenCount: 10, toolUsePromptTokenCount: 40, candidatesTokenCount: 5, totalTokenCount: 55 },
      { input: 50, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    ],
    [
      "more cached tokens than the prompt has",
      { promptTokenCount: 10, cachedContentTokenCount: 12, candidatesTokenCount: 1 },
      { input: 0, output: 1, cacheRead: 12, cacheWrite: 0, reasoning: 0 },
    ],
  ])("counts %s", (_, usageMetadata, usage) => {
    const events = eventsOf([{ ...chunk([{ text: "Hi." }], "STOP"), usageMetadata }]);
    expect(events.at(-2)).toEqual({ type: "usage", usage });
  });

  it("takes the last totals, also of a report after the finish, and keeps counts that it leaves out", () => {
    const events = eventsOf([
      { ...chunk([{ text: "Hi." }]), usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1 } },
      { ...chunk([], "STOP"), usageMetadata: { candidatesTokenCount: 2, thoughtsTokenCount: 3 } },
      { usageMetadata: { candidatesTokenCount: 4 } },
      { usageMetadata: { trafficType: "ON_DEMAND" } },
    ]);
    expect(events.slice(-2)).toEqual([
      { type: "usage", usage: { input: 9, output: 7, cacheRead: 0, cacheWrite: 0, reasoning: 3 } },
      { type: "finish", reason: "stop", raw: "STOP" },
    ]);
  });

  it("yields no usage if the server reports none", () => {
    expect(eventsOf([{ ...chunk([{ text: "Hi." }], "STOP"), usageMetadata: { trafficType: "ON_DEMAND" } }])).toEqual([
      { type: "text", text: "Hi." },
      { type: "finish", reason: "stop", raw: "STOP" },
    ]);
  });

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filter"],
    ["RECITATION", "content_filter"],
    ["BLOCKLIST", "content_filter"],
    ["PROHIBITED_CONTENT", "content_filter"],
    ["SPII", "content_filter"],
    ["IMAGE_SAFETY", "content_filter"],
    ["LANGUAGE", "other"],
    ["MALFORMED_FUNCTION_CALL", "other"],
    ["UNEXPECTED_TOOL_CALL", "other"],
    ["OTHER", "other"],
    ["SOMETHING_NEW", "other"],
  ])("translates the finish reason %s to %s", (raw, reason) => {
    expect(eventsOf([chunk([{ text: "Hi." }], raw)]).at(-1)).toEqual({ type: "finish", reason, raw });
  });

  it("finishes with content_filter and the server's word if the prompt was blocked", () => {
    const blocked = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: { promptTokenCount: 7 } };
    expect(eventsOf([blocked])).toEqual([
      { type: "usage", usage: { input: 7, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
      { type: "finish", reason: "content_filter", raw: "PROHIBITED_CONTENT" },
    ]);
  });

  it("takes ratings of a prompt that was not blocked for what they are", () => {
    const rated = { ...chunk([{ text: "Hi." }], "STOP"), promptFeedback: { safetyRatings: [] } };
    expect(eventsOf([rated]).at(-1)).toMatchObject({ reason: "stop" });
  });

  it("takes the last finish reason, from servers that send one with each piece", () => {
    const call = { functionCall: { name: "a", args: {} } };
    const events = eventsOf([chunk([{ text: "Hi." }], "STOP"), chunk([{ text: "More." }], "MAX_TOKENS")]);
    expect(textOf(events)).toBe("Hi.More.");
    expect(events.at(-1)).toEqual({ type: "finish", reason: "length", raw: "MAX_TOKENS" });
    expect(eventsOf([chunk([], "STOP"), chunk([call], "STOP")]).at(-1)).toMatchObject({ reason: "tool_calls" });
  });

  it("is not complete if content without a finish reason comes after one", () => {
    expect(stateAfter([chunk([], "STOP"), chunk([{ text: "Hi." }])]).finish).toBeUndefined();
    expect(stateAfter([chunk([{ text: "Hi." }], "STOP"), chunk([{ text: "" }])]).finish).toBeDefined();
  });

  it.each([
    [null],
    [[]],
    ["text"],
    [{ candidates: "none" }],
    [{ candidates: [null] }],
    [{ candidates: [{ content: { parts: [null, 1, { text: 5 }] } }] }],
    [{ usageMetadata: { promptTokenCount: "9" } }],
  ])("ignores %j, which is no piece of an answer", (value) => {
    const [state, events] = reduce(initialState, value);
    expect(events).toEqual([]);
    expect(conclude(state)).toEqual([{ type: "finish", reason: "other" }]);
  });
});

describe("usageOfAborted", () => {
  const begun = { ...chunk([{ text: "x".repeat(40) }]), usageMetadata: { promptTokenCount: 9, thoughtsTokenCount: 3 } };

  it("estimates the output that the server has not counted yet", () => {
    expect(usageOfAborted(stateAfter([begun]), request)).toEqual({
      input: 9,
      output: 10,
      cacheRead: 0,
      cacheWrite: 0,
      reasoning: 3,
      estimated: true,
    });
  });

  it("takes the final counts if they have come", () => {
    const ended = { ...chunk([], "STOP"), usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2 } };
    expect(usageOfAborted(stateAfter([begun, ended]), request)).toMatchObject({ output: 5, estimated: true });
  });
});
