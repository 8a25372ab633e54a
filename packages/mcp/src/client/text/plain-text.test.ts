import { describe, expect, it } from "vitest";
import { oneLine, plainText } from "./plain-text.ts";

describe("plainText", () => {
  it.each([
    ["control characters", "a\u0000b\u001b[31mc", "ab[31mc"],
    ["marks of direction", "a\u202eb\u2066c\u200fd", "abcd"],
    ["characters without width", "a\u200bb\ufeffc\u2060d\u00ade", "abcde"],
    ["tags that spell a text", "a\u{e0068}\u{e0069}b", "ab"],
    ["selectors of variants", "a\ufe00\ufe01\u{e0100}b", "ab"],
    ["blanks that look like letters", "a\u3164\uffa0\u115fb", "ab"],
    ["characters of private use", "a\ue000\u{f0000}b", "ab"],
    ["separators of lines that no screen breaks at", "a\u2028b\u2029c", "abc"],
  ])("takes out %s, and counts them", (_what, given, shown) => {
    const { text, hidden } = plainText(given, 100);
    expect(text).toBe(shown);
    expect(hidden).toBe([...given].length - [...shown].length);
  });

  it("keeps line feeds, tabs, letters of all languages and emoji", () => {
    const text = "Zeile\n\tзапрос 検索 🔎 é";
    expect(plainText(text, 100)).toEqual({ text, hidden: 0, isCut: false });
  });

  it("takes the joints of emoji out without counting them", () => {
    expect(plainText("⚠\ufe0f", 10)).toMatchObject({ text: "⚠", hidden: 0 });
  });

  it("cuts what is longer, also where it hides behind characters that are taken out", () => {
    expect(plainText("x".repeat(11), 10)).toEqual({ text: `${"x".repeat(10)}…`, hidden: 0, isCut: true });
    expect(plainText("\u200b".repeat(1000) + "x".repeat(10), 10).isCut).toBe(true);
  });

  it("puts a text into one line", () => {
    expect(oneLine(" a\n\n b\u0007 ")).toBe("a b");
  });
});
