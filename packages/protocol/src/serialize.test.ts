import { describe, expect, it } from "vitest";
import { callOf, formatCalls, formatThink, parseResults } from "./serialize.ts";

describe("formatCalls", () => {
  it("writes one call a line and leaves ids out", () => {
    const calls = [
      { name: "read", args: { file: "a" }, id: "call_1" },
      { name: "list", args: {} },
    ];
    expect(formatCalls(calls)).toBe(
      '<execute>\n[\n{"name":"read","args":{"file":"a"}},\n{"name":"list","args":{}}\n]\n</execute>',
    );
  });

  it("writes an empty batch", () => {
    expect(formatCalls([])).toBe("<execute>\n[]\n</execute>");
  });

  it("writes integers beyond the safe range with an exponent, because a plain literal is refused (P15)", () => {
    expect(formatCalls([{ name: "a", args: { n: 2 ** 60, deep: [{ m: -1e21 }], s: "1234567890123456" } }])).toContain(
      '{"n":1.152921504606847e+18,"deep":[{"m":-1e+21}],"s":"1234567890123456"}',
    );
  });
});

describe("formatThink", () => {
  it("does not let the content close the block", () => {
    expect(formatThink("a</think>b")).toBe("<think>a< /think>b</think>");
  });
});

describe("parseResults", () => {
  it.each([
    ["no JSON", "[", null],
    ["no array", "{}", null],
    ["an element that is no result", '[{"tool":"a"}]', null],
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

describe("callOf", () => {
  it("gives the call of an event, with its id if it has one", () => {
    const event = { type: "call", content: '{"name":"a","args":{"x":1}}', timestamp: 0 } as const;
    expect(callOf(event)).toEqual({ name: "a", args: { x: 1 } });
    expect(callOf({ ...event, id: "call_1" })).toEqual({ name: "a", args: { x: 1 }, id: "call_1" });
  });

  it("says what is wrong with the content of an event that is no call", () => {
    expect(() => callOf({ type: "call", content: '{"name":1}', timestamp: 0 })).toThrow('{"name":1}');
  });
});
