import { describe, expect, it } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import { diffLines, diffOf } from "./diff-lines.ts";

const stream = fakeStream({ columns: 40 });
const diff = "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n same\n--- old\n+new\n";

describe("the diff of a change", () => {
  it.each([
    [{ file: "a.txt", diff: "x" }, "x"],
    [{ stream: "stdout", text: "x" }, undefined],
    [{ diff: 1 }, undefined],
    [null, undefined],
    [["diff"], undefined],
  ])("is told by %j: %j", (update, expected) => {
    expect(diffOf(update)).toBe(expected);
  });

  it("begins with the name of its file, and each of several diffs with its own", () => {
    const shown = ["    @ a.txt", "    @@ -1,2 +1,2 @@", "     same", "    --- old", "    +new"];
    expect(diffLines([diff], stream)).toEqual(shown);
    expect(diffLines([diff], fakeStream({ columns: 0 }))).toEqual(shown);
    const other = diff.replaceAll("a.txt", "b.txt");
    expect(diffLines([diff, other], stream)).toEqual([...shown, "    @ b.txt", ...shown.slice(1)]);
  });

  it.each([
    ["", "    … 62 more lines"],
    ["… more lines are not shown\n", "    … more than 63 more lines"],
  ])("is cut to about 40 lines, and says how many more there are (%j)", (end, last) => {
    const long = `--- a\n+++ a\n@@ -0,0 +1,100 @@\n${"+x\n".repeat(100)}${end}`;
    const shown = diffLines([long], stream);
    expect(shown).toHaveLength(41);
    expect(shown.at(-1)).toBe(last);
  });

  it("is never wider than the terminal and holds no control character", () => {
    const shown = diffLines([`--- a\n+++ a\n@@ -1 +1 @@\n+\u001b[2J${"x".repeat(99)}\n`], stream);
    expect(shown[2]).toMatch(/^ {4}\+\\u001b\[2Jx+…$/);
    expect(shown[2]).toHaveLength(40);
  });

  it("has colours on a terminal", () => {
    const terminal = fakeStream({ isTTY: true });
    expect(diffLines([diff], terminal).join("\n")).toContain("\u001b[32m    +new");
  });

  it("is empty if the tool reported no diff", () => {
    expect(diffLines([], stream)).toEqual([]);
  });
});
