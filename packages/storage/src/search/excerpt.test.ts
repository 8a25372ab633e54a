import { assert, constantFrom, array as listOf, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt } from "./excerpt.ts";
import { fold } from "./fold.ts";
import { findOccurrences } from "./occurrences.ts";
import { searchWords } from "./words.ts";

function excerptOf(text: string, query: string): string {
  return excerpt(text, findOccurrences(searchWords(query))(fold(text)));
}

describe("excerpt", () => {
  it("is the whole text of a short passage, on one line", () => {
    expect(excerptOf("  A walnut,\n\n\tplease.\u0000 ", "walnut")).toBe("A walnut, please.");
  });

  it("starts a little before the words, and marks omissions", () => {
    const text = `${"before ".repeat(100)}walnut${" after".repeat(100)}`;
    const found = excerptOf(text, "walnut");
    expect(found).toMatch(/^…\S* (before ){10,11}walnut( after){20,40}/);
    expect(found).toMatch(/…$/);
    expect(Array.from(found).length).toBeLessThanOrEqual(300);
  });

  it("shows the part where most of the words stand close together", () => {
    const filler = " and so on".repeat(50);
    const text = `walnut${filler} cake${filler} a walnut in a cake${filler} walnut walnut walnut${filler}`;
    expect(excerptOf(text, "cake walnut")).toContain("a walnut in a cake");
  });

  it("contains the last of the words at the end of a passage", () => {
    expect(excerptOf(`${"filler ".repeat(100)}walnut`, "walnut")).toMatch(/filler walnut$/);
  });

  it("has at most 300 whole characters on one line, and contains a matching word", () => {
    const pieces = [
      "walnut",
      "é",
      "e\u0301",
      "ﬁ",
      "🙂",
      "\ud83d",
      "東京",
      "\n",
      " ",
      "\u0000",
      "x ",
      "\u1112\u1161\u11ab",
      "İ",
    ];
    const text = listOf(constantFrom(...pieces), { minLength: 1, maxLength: 900, size: "max" });
    assert(
      property(text, (some) => {
        const passage = some.join("");
        const occurrences = findOccurrences(searchWords("walnut"))(fold(passage));
        if (occurrences.length === 0) return;
        const found = excerpt(passage, occurrences);
        expect(Array.from(found).length).toBeLessThanOrEqual(300);
        expect(found).not.toMatch(/\p{Cc}/u);
        expect(found.isWellFormed()).toBe(true);
        expect(fold(found)).toContain("walnut");
      }),
      { numRuns: 300 },
    );
  });
});
