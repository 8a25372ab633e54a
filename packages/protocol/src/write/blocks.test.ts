import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSync } from "../parse/parse.ts";
import { parseResults } from "../results.ts";
import type { ToolResult } from "../tool.ts";
import { formatCalls, formatResults, formatThink } from "./blocks.ts";

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

describe("formatCalls in the XML dialect", () => {
  it("writes one call a line, between the same markers", () => {
    const calls = [
      { name: "read", args: { file: "a", lines: [1, 2] }, id: "call_1" },
      { name: "list", args: {} },
    ];
    expect(formatCalls(calls, { dialect: "xml" })).toBe(
      "<execute>\n<read><file>a</file><lines>[1,2]</lines></read>\n<list></list>\n</execute>",
    );
  });

  it("writes an empty batch", () => {
    expect(formatCalls([], { dialect: "xml" })).toBe("<execute>\n</execute>");
    expect(parseSync("<execute>\n</execute>", { dialect: "xml" })).toMatchObject([{ type: "execute" }]);
  });
});

describe("formatThink", () => {
  it("escapes a closer in the content", () => {
    expect(formatThink("a</think>b")).toBe("<think>a< /think>b</think>");
  });
});

describe("formatResults", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  it.each<[string, unknown, unknown]>([
    ["undefined", undefined, null],
    ["a function", () => 1, null],
    ["a bigint", { n: 2n ** 70n }, { n: "1180591620717411303424" }],
    ["a date beside a long number", { at: new Date(0), id: 2 ** 60 }, { at: "1970-01-01T00:00:00.000Z", id: 2 ** 60 }],
    ["holes and lone surrogates", ["\ud800", undefined], ["\ufffd", null]],
  ])("makes %s explicit", (_, content, read) => {
    const text = formatResults([{ tool: "a", status: "success", content: content as never }]);
    expect(parseResults(text)).toEqual([{ tool: "a", status: "success", content: read }]);
  });

  it.each<[string, unknown]>([
    ["a cycle", cycle],
    ["a getter that throws", Object.defineProperty({}, "x", { enumerable: true, get: () => BigInt("no") })],
    ["nesting without end", JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)],
  ])("makes a failure of %s", (_, content) => {
    const text = formatResults([{ tool: "a", status: "success", content: content as never }]);
    expect(parseResults(text)).toMatchObject([
      { tool: "a", status: "failure", content: expect.stringContaining("cannot be written as JSON") },
    ]);
  });
});

describe("formatResults", () => {
  const pieces = ["<results>", "</results>", "<RESULTS>", "</Execute>", "<think>", "<end>"];
  const markerText = fc
    .array(fc.constantFrom(...pieces, "<", "\\u003c", "x", '"', "\u0000", "＜results＞"))
    .map((found) => found.join(""));

  it("holds exactly one opener, one closer and no other marker, and gives the content back, for any output", () => {
    const content = fc.oneof(
      markerText,
      fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
    );
    fc.assert(
      fc.property(content, markerText, (content, tool) => {
        const results: ToolResult[] = [{ tool, status: "success", content }];
        const text = formatResults(results);
        expect(text.match(/<\/?(?:think|execute|results|end)>/gi)).toEqual(["<results>", "</results>"]);
        expect(parseResults(text)).toEqual(results);
      }),
      randomRuns(1500),
    );
  });
});
