import { assert, constantFrom, array as listOf, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "./fold.ts";
import { findOccurrences } from "./occurrences.ts";
import { type SearchWord, searchWords, tokensOf } from "./words.ts";

describe("searchWords", () => {
  it.each<[text: string, words: SearchWord[]]>([
    ["Walnut, CAKE!", [prefix("walnut"), prefix("cake")]],
    ["cake Cake cäke", [prefix("cake")]],
    ["to be 42", [whole("to"), whole("be"), whole("42")]],
    ["main_test.ts", [prefix("main"), prefix("test"), whole("ts")]],
    ["東京", [{ text: "東京", tokens: ["東", "京"], isPrefix: false }]],
    ["Type好き", [{ text: "type好き", tokens: ["type", "好", "き"], isPrefix: false }]],
    ["好きtype", [{ text: "好きtype", tokens: ["好", "き", "type"], isPrefix: true }]],
    ["안", [prefix("안")]],
    ['") * & |', []],
    ["", []],
  ])("splits %j into the words of an index", (text, words) => expect(searchWords(text)).toEqual(words));

  it("returns at most 32 words", () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(" ");
    expect(searchWords(text).map((word) => word.text)).toEqual(text.split(" ").slice(0, 32));
  });

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

function prefix(text: string): SearchWord {
  return { text, tokens: [text], isPrefix: true };
}

function whole(text: string): SearchWord {
  return { text, tokens: [text], isPrefix: false };
}

/** Whether an index of these tokens contains the word, by the query of an adapter. */
function isIn(tokens: readonly string[], { tokens: asked, isPrefix }: SearchWord): boolean {
  return tokens.some((_, start) =>
    asked.every((one, place) => {
      const token = tokens[start + place];
      return isPrefix && place === asked.length - 1 ? token?.startsWith(one) : token === one;
    }),
  );
}
