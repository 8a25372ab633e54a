import { describe, expect, it } from "vitest";
import { type SearchWord, searchWords } from "./words.ts";

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
});

function prefix(text: string): SearchWord {
  return { text, tokens: [text], isPrefix: true };
}

function whole(text: string): SearchWord {
  return { text, tokens: [text], isPrefix: false };
}
