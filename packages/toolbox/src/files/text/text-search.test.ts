import { describe, expect, it } from "vitest";
import { replaceMatches, replacing } from "../edit/replace-matches.ts";
import { compileReplacement } from "../edit/replacement.ts";
import { compileSearch, type SearchTerms } from "./text-search.ts";

describe("compileSearch", () => {
  const all = (text: string, terms: SearchTerms): [number, number][] => {
    const next = compileSearch(terms).in(text);
    const found: [number, number][] = [];
    for (let place = next(0); place !== undefined; place = next(Math.max(place.end, place.start + 1))) {
      found.push([place.start, place.end]);
    }
    return found;
  };

  it.each<[text: string, terms: SearchTerms, places: [number, number][]]>([
    ["a.b axb", { text: "a.b" }, [[0, 3]]],
    [
      "a.b axb",
      { text: "a.b", regex: true },
      [
        [0, 3],
        [4, 7],
      ],
    ],
    ["a.B axb", { text: "A.b", ignoreCase: true }, [[0, 3]]],
    ["Äö", { text: "äÖ", ignoreCase: true }, [[0, 2]]],
    [
      "ab AB",
      { text: "[a]b", regex: true, ignoreCase: true },
      [
        [0, 2],
        [3, 5],
      ],
    ],
    ["a\nb", { text: "^b$", regex: true }, [[2, 3]]],
    ["🐟b", { text: "b", regex: true }, [[2, 3]]],
    ["a\nb", { text: "a.b", regex: true }, []],
    ["a\nb", { text: "(?s)a.b", regex: true }, [[0, 3]]],
  ])("finds in %j the matches of %j", (text, terms, places) => {
    expect(all(text, terms)).toEqual(places);
  });

  it.each<[expression: string, problem: RegExp]>([
    ["a(b", /missing closing \)/],
    ["a[b", /missing closing \] at character 2, "\[b"/],
    ["a**", /invalid nested repetition operator at character 2/],
    ["(?=a)", /no look-around/],
    ["(a)\\1", /invalid escape sequence at character 4/],
    ["a{1001}", /invalid repeat count/],
    ["a".repeat(1001), /longer than 1000 characters/],
  ])("explains the error in %s", (text, problem) => {
    expect(() => compileSearch({ text, regex: true })).toThrowError(
      expect.objectContaining({ code: "expression_invalid", message: expect.stringMatching(problem) }),
    );
  });

  it.each(["(a+)+$", "(a|a)*b", "(.*a){12}b", "(x+x+)+y"])(
    "takes time linear in the text for %s, which makes backtracking engines hang",
    (text) => {
      expect(compileSearch({ text, regex: true }).in(`${"a".repeat(50_000)}!`)(0)).toBeUndefined();
    },
  );
});

describe("compileSearch, whose searches cannot be interrupted", () => {
  const text = `b${"a".repeat(2 ** 20)}`;

  it.each<SearchTerms>([
    { text: "(?i)a{900}b", regex: true },
    { text: "[a-z]{500}[a-z]{400}1", regex: true },
    { text: `${"a".repeat(900)}b`, ignoreCase: true },
    { text: `${"a".repeat(50_000)}b`, ignoreCase: true },
  ])("refuses a search that could block the process for long: %j", (terms) => {
    expect(() => compileSearch(terms).in(text)(0)).toThrowError(
      expect.objectContaining({ code: "expression_invalid", message: expect.stringMatching(/too long|longer than/) }),
    );
  });

  it("allows an expression of usual size on the largest file", () => {
    const search = compileSearch({ text: "function\\s+(\\w+)\\s*\\(([^)]*)\\)", regex: true, ignoreCase: true });
    expect(search.in(`${text} function f(x)`)(0)).toMatchObject({ start: text.length + 1 });
  });
});

describe("replaceMatches", () => {
  const replace = (text: string, find: string, template: string, most = 10_000) => {
    const search = compileSearch({ text: find, regex: true });
    return replaceMatches(text, search, compileReplacement(template, search), most);
  };

  it.each<[text: string, find: string, template: string, expected: string, count: number]>([
    ["a b", "(a) (b)", "$2 $1", "b a", 1],
    ["a b", "(?<first>a) b", "$<first>!", "a!", 1],
    ["ab", "[ab]", "<$&>", "<a><b>", 2],
    ["a", "a", "$$1 $x $", "$1 $x $", 1],
    ["a", "(a)", "$10", "a0", 1],
    ["abcdefghijk", "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)", "$10$1", "jak", 1],
    ["a", "(a)|(b)", "[$2]", "[]", 1],
    ["abc", "x*", "-", "-a-b-c-", 4],
    ["🐟", "", "-", "-🐟-", 2],
    ["a\nb\n", "^", "> ", "> a\n> b\n> ", 3],
    ["aaa", "a", "aa", "aaaaaa", 3],
  ])("replaces in %j the expression %s with %s", (text, find, template, expected, count) => {
    expect(replace(text, find, template)).toEqual({ kind: "replaced", text: expected, count });
  });

  it.each(["$1", "$0", "$<no>", "$12"])("refuses %s, a group that the expression does not have", (template) => {
    expect(() => replace("a", "a", template)).toThrowError(
      expect.objectContaining({ code: "expression_invalid", message: expect.stringContaining(template) }),
    );
  });

  it("stops when the text grows too large", () => {
    expect(replace("a".repeat(100), "a", "b".repeat(101))).toEqual({ kind: "too_large" });
    expect(replace("a".repeat(10_001), "b", "c")).toEqual({ kind: "too_large" });
  });
});

describe("replacing", () => {
  it.each([
    ["a text", { text: "a" }],
    ["empty matches", { text: "|", regex: true }],
  ])("pauses often while it replaces %s a hundred thousand times", (_, terms) => {
    const steps = replacing("a".repeat(100_000), compileSearch(terms), () => "b", 1_000_000);
    let pauses = 0;
    let last = steps.next();
    for (; !last.done; last = steps.next()) pauses += 1;
    expect(pauses).toBe(20);
    expect(last.value).toMatchObject({ kind: "replaced" });
  });
});
