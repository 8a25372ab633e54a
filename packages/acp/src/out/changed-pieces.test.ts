import { describe, expect, it } from "vitest";
import { changedPieces } from "./changed-pieces.ts";

const path = "/project/a.txt";
const head = "--- a.txt\n+++ a.txt\n";

describe("the pieces of a unified diff", () => {
  it("are a pair of texts for each hunk, with the lines around", () => {
    const diff = `${head}@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n@@ -9 +9,2 @@\n-nine\n+neun\n+zehn\n`;
    expect(changedPieces(path, diff)).toEqual([
      { path, oldText: "one\ntwo\nthree", newText: "one\nzwei\nthree" },
      { path, oldText: "nine", newText: "neun\nzehn" },
    ]);
  });

  it("have no old text in a file that is new, and an empty one in a file that was empty", () => {
    const hunk = "@@ -0,0 +1,1 @@\n+hello\n\\ No newline at end of file\n";
    expect(changedPieces(path, `--- /dev/null\n+++ a.txt\n${hunk}`)).toEqual([
      { path, oldText: null, newText: "hello" },
    ]);
    expect(changedPieces(path, `${head}${hunk}`)).toEqual([{ path, oldText: "", newText: "hello" }]);
  });

  it("may have lines that look like heads of a diff", () => {
    const diff = `${head}@@ -1,2 +1,2 @@\n---- a\n-@@ -1 +1 @@\n++++ b\n+@@ -2 +2 @@\n`;
    expect(changedPieces(path, diff)).toEqual([{ path, oldText: "--- a\n@@ -1 +1 @@", newText: "+++ b\n@@ -2 +2 @@" }]);
  });

  it.each([
    ["whose end is left out", `${head}@@ -1,2 +1,2 @@\n-one\n… more lines are not shown\n`],
    ["whose last hunks are left out", `${head}@@ -1,1 +1,1 @@\n-one\n+eins\n… more lines are not shown\n`],
    ["whose long lines are cut", `${head}@@ -1,1 +1,1 @@\n-one\n+${"x".repeat(499)}…\n`],
    ["that says only that much was changed", "a.txt: too much was changed to show it line by line\n"],
    ["that is cut off", `${head}@@ -1,2 +1,2 @@\n-one`],
    ["with a line of another kind", `${head}@@ -1,2 +1,2 @@\n-one\nwhat?\n+two\n`],
    ["that is empty", ""],
  ])("are not taken from a diff %s", (_, diff) => {
    expect(changedPieces(path, diff)).toBeUndefined();
  });
});
