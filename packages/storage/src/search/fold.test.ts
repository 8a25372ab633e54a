import { describe, expect, it } from "vitest";
import { fold, unfoldedIndex } from "./fold.ts";

describe("fold", () => {
  it.each([
    ["WALNUT", "walnut"],
    ["Café CAFE\u0301", "cafe cafe"],
    ["ΟΔΟΣ ὁδός", "οδοσ οδοσ"],
    ["İstanbul", "istanbul"],
    ["ﬁle ｗｉｄｅ", "file wide"],
    ["한글 \u1112\u1161\u11ab", "한글 한"],
    ["がカ", "かカ"],
    ["\u0000\t\n", "\u0000\t\n"],
  ])("folds %j to %j", (text, folded) => expect(fold(text)).toBe(folded));
});

describe("unfoldedIndex", () => {
  it.each([
    ["in ASCII", "a walnut", 2],
    ["after letters that fold to nothing", "e\u0301e\u0301e\u0301 walnut", 7],
    ["after letters that fold to several", "ﬁﬁﬃ walnut", 4],
    ["after pages of text", `${"ﬁ 🙂e\u0301 ".repeat(2_000)}walnut`, 14_000],
    ["after a word of many pages", `${"ﬁ🙂".repeat(3_000)} walnut`, 9_001],
    ["after characters of two units", "🙂🙂 walnut", 5],
    [
      "after letters that fold to one together",
      `${"\u1112\u1161\u11ab".repeat(50)} ${"\u1112\u1161 ".repeat(50)}walnut`,
      301,
    ],
  ])("finds the index %s", (_, text, place) => {
    expect(unfoldedIndex(text, fold(text).indexOf("walnut"))).toBe(place);
  });
});
