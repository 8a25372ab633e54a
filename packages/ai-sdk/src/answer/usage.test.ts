import { describe, expect, it } from "vitest";
import { readUsage } from "./usage.ts";

const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const nested = (inputTokens: object, outputTokens: object) => ({ inputTokens, outputTokens });

describe("the usage of an answer", () => {
  it.each<[string, unknown, object, unknown?]>([
    [
      "v4 and v3",
      nested({ total: 100, noCache: 60, cacheRead: 30, cacheWrite: 10 }, { total: 50, text: 20, reasoning: 30 }),
      { input: 60, output: 50, cacheRead: 30, cacheWrite: 10, reasoning: 30 },
    ],
    [
      "v4 without the tokens that were not cached",
      nested({ total: 100, cacheRead: 30 }, { total: 50 }),
      { ...zero, input: 70, cacheRead: 30, output: 50 },
    ],
    [
      "v4 without a total of the output",
      nested({ total: 9 }, { text: 20, reasoning: 30 }),
      { ...zero, input: 9, output: 50, reasoning: 30 },
    ],
    [
      "v4 with more cached than all",
      nested({ total: 10, cacheRead: 30 }, { total: 1 }),
      { ...zero, input: 0, cacheRead: 30, output: 1 },
    ],
    [
      "v2 as of OpenAI, whose counts include the others",
      { inputTokens: 100, outputTokens: 50, totalTokens: 150, reasoningTokens: 30, cachedInputTokens: 40 },
      { input: 60, output: 50, cacheRead: 40, cacheWrite: 0, reasoning: 30 },
    ],
    [
      "v2 as of Anthropic, whose input excludes what was cached",
      { inputTokens: 100, outputTokens: 50, totalTokens: 150, cachedInputTokens: 40 },
      { input: 100, output: 50, cacheRead: 40, cacheWrite: 7, reasoning: 0 },
      { anthropic: { cacheCreationInputTokens: 7 } },
    ],
    [
      "v2 with more cached than input",
      { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 400 },
      { ...zero, input: 10, output: 5, cacheRead: 400 },
    ],
    [
      "v2 as of Google, whose output excludes the reasoning",
      { inputTokens: 100, outputTokens: 20, totalTokens: 150, reasoningTokens: 30 },
      { ...zero, input: 100, output: 50, reasoning: 30 },
    ],
    ["v2 with the output alone", { outputTokens: 5 }, { ...zero, output: 5 }],
  ])("of %s has counts that do not overlap", (_, usage, expected, metadata) => {
    expect(readUsage(usage, metadata)).toEqual(expected);
  });

  it.each([
    undefined,
    null,
    "7",
    {},
    { inputTokens: undefined, outputTokens: undefined },
    nested({}, {}),
    nested({ total: "9" }, { total: -1 }),
    { inputTokens: Number.NaN, outputTokens: 1.5 },
  ])("of %j is none", (usage) => {
    expect(readUsage(usage, undefined)).toBeUndefined();
  });
});
