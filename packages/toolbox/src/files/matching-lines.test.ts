import { describe, expect, it } from "vitest";
import { matchingLines } from "./matching-lines.ts";

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
    expect([...matchingLines(text, wanted)].map(({ line, text }) => [line, text])).toEqual(lines);
  });

  it("cuts a long line down to the part around the match, never through a character", () => {
    const [found] = matchingLines(`${"🐟".repeat(500)}needle${"🐟".repeat(500)}`, "needle");
    expect(found?.text).toContain("needle");
    expect(found?.text.length).toBeLessThanOrEqual(202);
    expect(found?.text.isWellFormed()).toBe(true);
    expect(found?.text).toMatch(/^….*…$/);
  });

  it("takes time linear in the text", () => {
    expect([...matchingLines("ab\n".repeat(300_000), "b")]).toHaveLength(300_000);
  });
});
