import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { contextParts } from "./context-parts.ts";

const text = (tokens: number) => "word".repeat(tokens);
const record = (kind: string, data: unknown) => ({ type: "record", kind, data, timestamp: 1 }) as LogEvent;
const picture = { kind: "image", mediaType: "image/png", data: "" } as const;

const turn: LogEvent[] = [
  { type: "user", content: text(100), timestamp: 1, attachments: [picture] },
  record("request", { system: "Be brief.", tools: [{ name: "read" }], hashes: { system: "a", tools: "b" } }),
  { type: "think", content: text(10), timestamp: 1 },
  { type: "call", content: text(20), id: "call_1", timestamp: 1 },
  { type: "result", content: text(600), timestamp: 1 },
  record("request", { hashes: { system: "a", tools: "b" } }),
  { type: "respond", content: text(40), timestamp: 1 },
  { type: "user", content: text(5), origin: "notice", timestamp: 1 },
] as LogEvent[];

describe("contextParts", () => {
  it("has each part of the messages with its tokens, the largest first, and the last system prompt and tools", () => {
    expect(contextParts(turn)).toMatchObject({
      system: "Be brief.",
      tools: [{ name: "read" }],
      messages: [
        { part: "attachments", tokens: 1500 },
        { part: "results", tokens: 600 },
        { part: "user", tokens: 100 },
        { part: "answers", tokens: 40 },
        { part: "calls", tokens: 20 },
        { part: "thinking", tokens: 10 },
        { part: "notices", tokens: 5 },
      ],
    });
  });

  it("has a summary in the place of what it stands for", () => {
    const log = [
      ...turn,
      record("summary", { upTo: 8, text: text(50) }),
      { ...turn[0], attachments: [] },
    ] as LogEvent[];
    expect(contextParts(log).messages).toEqual([
      { part: "user", tokens: 100 },
      { part: "summary", tokens: 50 },
    ]);
  });

  it("says what a compaction would free: nothing of a short conversation", () => {
    expect(contextParts([]).freed).toBe(0);
    expect(contextParts(turn.slice(0, 2)).freed).toBe(0);
    const long = Array.from({ length: 6 }, () => turn).flat();
    const { freed, messages } = contextParts(long);
    const all = messages.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(freed).toBeGreaterThan(all / 2);
    expect(freed).toBeLessThan(all);
  });

  it("has no tools where the last request had none of its own", () => {
    const log = [...turn, record("request", { hashes: { system: "c" }, system: "Tools: read." })];
    expect(contextParts(log)).toMatchObject({ system: "Tools: read.", tools: [] });
  });

  it.each([null, 7, "x", [], { system: 5, tools: "no", hashes: 1 }])("reads a log from elsewhere: %o", (data) => {
    const kinds = ["request", "summary", "finished"];
    expect(contextParts(kinds.map((kind) => record(kind, data)))).toMatchObject({
      system: "",
      tools: [],
      messages: [],
    });
  });
});
