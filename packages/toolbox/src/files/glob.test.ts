import { describe, expect, it } from "vitest";
import { compileGlob } from "./glob.ts";

describe("compileGlob", () => {
  it.each<[pattern: string, matching: string[], others: string[]]>([
    ["*.ts", ["a.ts", "src/a.ts", ".ts", "src/.hidden.ts"], ["a.tsx", "a.ts/b"]],
    ["a?c", ["abc", "a🐟c", "x/abc"], ["ac", "abbc"]],
    ["src/*.ts", ["src/a.ts"], ["a.ts", "src/b/a.ts", "x/src/a.ts"]],
    ["src/**/*.ts", ["src/a.ts", "src/b/a.ts", "src/b/c/a.ts"], ["a.ts", "x/src/a.ts"]],
    ["**/a.ts", ["a.ts", "b/a.ts", "b/c/a.ts"], ["ba.ts", "a.ts/b"]],
    ["src/**", ["src/a", "src/b/a"], ["a", "xsrc/a"]],
    ["**", ["a", "b/a"], []],
    ["**/b/**/c", ["b/c", "a/b/c", "a/b/x/b/y/c"], ["b", "c", "b/x/d"]],
    ["./a.ts", ["a.ts"], ["b.ts"]],
    ["*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.js", "a.{ts,tsx}"]],
    ["{src,test}/*.ts", ["src/a.ts", "test/a.ts"], ["lib/a.ts"]],
    ["a{b,c{d,e}}f", ["abf", "acdf", "acef"], ["acf", "af"]],
    ["a{,b}", ["a", "ab"], ["ac"]],
    ["{a", ["{a"], ["a"]],
    ["[a-c]x", ["ax", "cx"], ["dx", "[a-c]x"]],
    ["[!a-c]x", ["dx"], ["ax"]],
    ["[]x]y", ["]y", "xy"], ["y"]],
    ["[id", ["[id"], ["i"]],
    ["\\[id\\].ts", ["[id].ts"], ["i.ts"]],
    ["\\*", ["*"], ["a"]],
    ["A.ts", ["A.ts"], ["a.ts"]],
    ["a.c", ["a.c"], ["abc"]],
    ["+(a|b)$", ["+(a|b)$"], ["a"]],
  ])("matches %s", (pattern, matching, others) => {
    const test = compileGlob(pattern);
    expect(matching.filter((path) => !test(path))).toEqual([]);
    expect(others.filter((path) => test(path))).toEqual([]);
  });

  it.each(["..", "../a", "a/../b", "/a", "a//b", "a/", "", "{a,../b}"])(
    "refuses %j, which names no files",
    (pattern) => {
      expect(() => compileGlob(pattern)).toThrowError(expect.objectContaining({ code: "pattern_invalid" }));
    },
  );

  it("refuses a pattern with more than a hundred alternatives", () => {
    expect(() => compileGlob("{a,b}".repeat(7))).toThrow("more than 100 alternatives");
    expect(() => compileGlob("{a,b}".repeat(50))).toThrow("more than 100 alternatives");
  });

  it("stays fast on patterns that make backtracking matchers hang", () => {
    expect(compileGlob(`${"*a".repeat(60)}b`)("a".repeat(250))).toBe(false);
    expect(compileGlob(`${"**/a/".repeat(40)}b`)("a/".repeat(500))).toBe(false);
  });

  it("refuses a pattern that takes too many steps on a hostile path", () => {
    const test = compileGlob(`${"{*,*}".repeat(6)}${"a".repeat(150)}b`);
    expect(() => test("a".repeat(255))).toThrowError(expect.objectContaining({ code: "pattern_invalid" }));
    expect(test("src/main.ts")).toBe(false);
  });
});
