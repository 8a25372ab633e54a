import { describe, expect, it } from "vitest";
import { matchingLines } from "./matching-lines.ts";
import { compileSearch } from "./text-search.ts";

describe("matchingLines", () => {
  it.each<[text: string, wanted: string, lines: [number, string][]]>([
    ["", "a", []],
    ["a", "a", [[1, "a"]]],
    ["a a a", "a", [[1, "a a a"]]],
    [
      "x\na\n\na",
      "a",
      [
        [2, "a"],
        [4, "a"],
      ],
    ],
    ["a\r\nb\r\n", "b", [[2, "b"]]],
    ["one\ntwo\nthree", "two\nth", [[2, "two"]]],
    [
      "one\ntwo\nthree",
      "\nt",
      [
        [1, "one"],
        [2, "two"],
      ],
    ],
    [
      "\n\n\n",
      "\n",
      [
        [1, ""],
        [2, ""],
        [3, ""],
      ],
    ],
  ])("finds in %j the text %j", (text, wanted, lines) => {
    expect([...matchingLines(text, compileSearch({ text: wanted }))].map(({ line, text }) => [line, text])).toEqual(
      lines,
    );
  });

  it.each<[text: string, expression: string, lines: number[]]>([
    ["one\ntwo\nthree\n", "^t", [2, 3]],
    ["one\ntwo\nthree\n", "e$", [1, 3]],
    ["one\ntwo\n", "o.*", [1, 2]],
    ["one\n\ntwo\n", "^$", [2]],
    ["a\nb", "x*", [1, 2]],
    ["", "^", [1]],
    ["one\ntwo", "e\\nt", [1]],
  ])("finds in %j the expression %s", (text, expression, lines) => {
    const found = [...matchingLines(text, compileSearch({ text: expression, regex: true }))];
    expect(found.map(({ line }) => line)).toEqual(lines);
  });

  it("cuts a long line down to the part around the match, never through a character", () => {
    const [found] = matchingLines(`${"🐟".repeat(500)}needle${"🐟".repeat(500)}`, compileSearch({ text: "needle" }));
    expect(found?.text).toContain("needle");
    expect(found?.text.length).toBeLessThanOrEqual(202);
    expect(found?.text.isWellFormed()).toBe(true);
    expect(found?.text).toMatch(/^….*…$/);
  });

  it("takes time linear in the text", () => {
    expect([...matchingLines("ab\n".repeat(300_000), compileSearch({ text: "b" }))]).toHaveLength(300_000);
  });
});
