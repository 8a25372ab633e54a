import { describe, expect, it } from "vitest";
import { fittedParts } from "./fitted-parts.ts";

const parts = [
  { rank: 4, ways: ["working 3 s"] },
  { rank: 1, ways: ["shop (main)", "main"] },
  { rank: 3, ways: ["", "context 4,200 of 200,000", "97 % left"] },
  { rank: 2, ways: [] },
];

describe("a line of parts", () => {
  it.each([
    [80, "working 3 s · shop (main) · context 4,200 of 200,000"],
    [52, "working 3 s · shop (main) · context 4,200 of 200,000"],
    [51, "working 3 s · main · context 4,200 of 200,000"],
    [44, "working 3 s · main · 97 % left"],
    [29, "working 3 s · 97 % left"],
    [22, "working 3 s · main"],
    [17, "working 3 s"],
    [10, "working 3…"],
  ])(
    "in %i columns shortens and then leaves out what has the lowest rank, unless a longer part leaves room for it: %s",
    (columns, line) => {
      expect(fittedParts(parts, columns)).toBe(line);
    },
  );

  it("counts the columns of wide characters", () => {
    expect(
      fittedParts(
        [
          { rank: 2, ways: ["一二三"] },
          { rank: 1, ways: ["x"] },
        ],
        9,
      ),
    ).toBe("一二三");
  });
});
