import { describe, expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

describe("unifiedDiff", () => {
  const lines = (count: number, text = "line") => Array.from({ length: count }, (_, n) => `${text} ${n}\n`).join("");

  it("shows a change with three lines around it", () => {
    const diff = unifiedDiff("a.txt", lines(20), lines(20).replace("line 10", "other"));
    expect(diff.split("\n").slice(0, 4)).toEqual(["--- a.txt", "+++ a.txt", "@@ -8,7 +8,7 @@", " line 7"]);
    expect(diff).toContain("-line 10\n+other\n");
    expect(diff).not.toContain("line 15");
  });

  it("shows a new file as added lines, also one without a line end or with nothing in it", () => {
    expect(unifiedDiff("a.txt", undefined, "x")).toContain("+x\n\\ No newline");
    expect(unifiedDiff("a.txt", undefined, "")).not.toContain("\n+x");
  });

  it.each([
    ["a new file of many lines", undefined, lines(100_000)],
    ["many changes", lines(150), lines(150, "changed")],
  ])("has at most about 200 lines for %s", (_, before, after) => {
    const diff = unifiedDiff("a.txt", before, after);
    expect(diff.split("\n").length).toBeLessThanOrEqual(202);
    expect(diff).toContain("more lines are not shown");
  });

  it("cuts long lines, never through a character", () => {
    const diff = unifiedDiff("a.txt", undefined, "🐟".repeat(100_000));
    expect(diff.length).toBeLessThan(1000);
    expect(diff.isWellFormed()).toBe(true);
  });

  it("says so instead of comparing texts that have too little in common", () => {
    expect(unifiedDiff("a.txt", lines(50_000), lines(50_000, "changed"))).toContain("too much was changed");
  });
});
