import { describe, expect, it } from "vitest";
import { parseResults } from "./results.ts";

describe("parseResults", () => {
  it.each([
    ["no JSON", "[", null],
    ["no array", "{}", null],
    ["an element that is not a result", '[{"tool":"a"}]', null],
    ["a failure without a message", '[{"tool":"a","status":"failure","content":1}]', null],
    ["no content", '[{"tool":"a","status":"success"}]', null],
    ["an empty array", "[]", []],
    [
      "other keys",
      '[{"tool":"a","status":"success","content":null,"x":1}]',
      [{ tool: "a", status: "success", content: null }],
    ],
  ])("reads %s", (_, text, results) => {
    expect(parseResults(text)).toEqual(results);
    expect(parseResults(`<results>\n${text}\n</results>`)).toEqual(results);
  });
});
