import { assert, constantFrom, array as listOf, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "./fold.ts";
import { findOccurrences } from "./occurrences.ts";
import { type SearchWord, searchWords, tokensOf } from "./words.ts";

describe("searchWords", () => {
  it("returns words that an index of every text with them contains", () => {
    const text = listOf(constantFrom(...pieces), { maxLength: 40 }).map((some) => some.join(""));
    assert(
      property(text, text, (query, searched) => {
        const folded = fold(searched);
        const words = searchWords(query);
        if (words.length === 0) return;
        const tokens = tokensOf(folded);
        const found = new Set(findOccurrences(words)(folded).map(({ word }) => words[word]));
        const missing = [...found].filter((word) => !word || !isIn(tokens, word));
        if (missing.length > 0) expect.fail(`${missing.map((word) => word?.text)} in ${tokens.join(" ")}`);
      }),
      { numRuns: 600 },
    );
  });

  it("returns words that are found in every text that contains them between spaces", () => {
    const text = listOf(constantFrom(...pieces), { maxLength: 10 }).map((some) => some.join(""));
    assert(
      property(text, text, text, (before, query, after) => {
        const words = searchWords(query);
        if (words.length === 0) return;
        const found = findOccurrences(words)(fold(`${before} ${query} ${after}`));
        expect(new Set(found.map(({ word }) => word)).size).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});

/** Characters of every kind that separates or forms words, and some that change when they are folded. */
const pieces = [
  ..."aAbß1٣_-.*\"' \n\t\u0000",
  ..."éÉİıſςΣΩ",
  "e\u0301",
  "ﬁ",
  "Å",
  "Ⅷ",
  "１",
  "東",
  "京",
  "か",
  "が",
  "カ",
  "ｶﾞ",
  "ー",
  "々",
  "ไ",
  "ท",
  "ย่",
  "한",
  "글",
  "\u1112\u1161",
  "ㅋ",
  "ㅏ",
  "न",
  "म",
  "स्",
  "🙂",
  "\ud83d",
  "\u200d",
  "\u0301",
  "²",
];

/** Whether an index of these tokens contains the word, by the query of an adapter. */
function isIn(tokens: readonly string[], { tokens: asked, isPrefix }: SearchWord): boolean {
  return tokens.some((_, start) =>
    asked.every((one, place) => {
      const token = tokens[start + place];
      return isPrefix && place === asked.length - 1 ? token?.startsWith(one) : token === one;
    }),
  );
}
