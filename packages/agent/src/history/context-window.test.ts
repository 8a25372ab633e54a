import { expect, it } from "vitest";
import { limitNamedIn, rememberedWindow, windowAfterRefusal } from "./context-window.ts";

// What each server says, as `overflow.test.ts` quotes it.
it.each([
  ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 8192],
  ["This model's maximum context length is 128,000 tokens. However, you requested 130,001 tokens.", 128_000],
  ["prompt is too long: 208310 tokens > 200000 maximum", 200_000],
  ["input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000", 200_000],
  ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
  ["Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32_768],
  ["request (10210 tokens) exceeds the available context size (8192 tokens), try increasing it", 8192],
  ["This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131_072],
  [
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    4096,
  ],
  [
    "You passed 4097 input tokens and requested 1 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 4095 tokens.",
    4096,
  ],
  ["Input prompt (35247 tokens) is too long and exceeds limit of 1000", 1000],
  ["The input (9000 tokens) is longer than the model's context length (8192 tokens).", 8192],
  ["Input validation error: `inputs` must have less than 4096 tokens. Given: 5000", 4096],
  ["Invalid request: Your request exceeded model token limit: 131072", 131_072],
  ["too many tokens: total number of tokens in the prompt exceeds the limit of 128000.", 128_000],
  ["Token count 9001 is larger than 8192.", 8192],
  ["Your input exceeds the context window of this model. Please adjust your input and try again.", undefined],
  ["context_length_exceeded", undefined],
  ["Input is too long for requested model.", undefined],
  ["invalid params, context window exceeds limit (2013)", undefined],
])("the limit in: %s", (message, limit) => {
  expect(limitNamedIn(message)).toBe(limit);
});

it("is a little less than what was refused where no limit is named", () => {
  expect(windowAfterRefusal(new Error("too long"), 10_000)).toBe(9000);
  expect(windowAfterRefusal(new Error("maximum context length is 8192 tokens"), 10_000)).toBe(8192);
  expect(windowAfterRefusal("no error", 10)).toBe(1000);
});

it("is no limit that no model has", () => {
  for (const limit of ["1000000000000", "9".repeat(400)])
    expect(windowAfterRefusal(new Error(`maximum context length is ${limit} tokens`), 10_000)).toBe(9000);
});

it("remembers nothing of a log that holds something else", () => {
  for (const window of [
    null,
    5,
    "8192",
    { tokens: "8192", model: "m" },
    { tokens: 1, model: "m" },
    { tokens: 8192, model: "n" },
  ])
    expect(
      rememberedWindow([{ type: "record", kind: "summary", data: { window }, timestamp: 1 }], "m"),
    ).toBeUndefined();
  expect(rememberedWindow([{ type: "record", kind: "summary", data: null, timestamp: 1 }], "m")).toBeUndefined();
});
