import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { passagesOf, passageTypes } from "./passages.ts";
import { searchTokens } from "./search-tokens.ts";

const result: LogEvent = {
  type: "result",
  content: JSON.stringify([
    { tool: "read", status: "success", content: "one" },
    { tool: "recall", status: "success", content: "said elsewhere" },
    { tool: "list", status: "success", content: { two: [3] } },
  ]),
  payload: { tools_executed: 3, success_count: 3, failure_count: 0 },
  timestamp: 1,
};

describe("passagesOf", () => {
  it.each<[what: string, event: LogEvent, passages: unknown[]]>([
    ["a message of the person", { type: "user", content: "Hi", timestamp: 1 }, [{ who: "user", text: "Hi" }]],
    ["a message of the framework: none", { type: "user", content: "Hi", origin: "nudge", timestamp: 1 }, []],
    [
      "a message of the assistant",
      { type: "respond", content: "Hi", timestamp: 1 },
      [{ who: "assistant", text: "Hi" }],
    ],
    [
      "results",
      result,
      [
        { who: "tool", tool: "read", text: "one" },
        { who: "tool", tool: "list", text: '{"two":[3]}' },
      ],
    ],
    ["an unreadable result: none", { ...result, content: "no results" } as LogEvent, []],
    ["a thought: none", { type: "think", content: "Hi", timestamp: 1 }, []],
    ["another event: none", { type: "cancelled", timestamp: 1 }, []],
  ])("returns the passages of %s", (_, event, passages) => {
    expect(passagesOf(event)).toEqual(passages);
    if (passages.length > 0) expect(passageTypes).toContain(event.type);
  });
});

describe("searchTokens", () => {
  it("returns letters and digits only, without case and accents, and single characters of scripts without spaces", () => {
    const content = "Café_Über-42 “x.Y” 東京タワー, 한글! \u0000 🙂";
    expect(searchTokens({ type: "user", content, timestamp: 1 })).toEqual([
      "cafe",
      "uber",
      "42",
      "x",
      "y",
      "東",
      "京",
      "タ",
      "ワ",
      "ー",
      "한글",
    ]);
  });

  it("reads every passage up to a hundred thousand characters", () => {
    const long = `${"a ".repeat(49_999)}bc${" d".repeat(100)}`;
    const tokens = searchTokens({ type: "respond", content: long, timestamp: 1 });
    expect([tokens.length, tokens.at(-1)]).toEqual([50_000, "bc"]);
  });

  it("is empty for events that are not searched", () => {
    expect(searchTokens({ type: "think", content: "walnut", timestamp: 1 })).toEqual([]);
  });
});
