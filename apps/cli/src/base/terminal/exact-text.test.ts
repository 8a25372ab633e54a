import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBack } from "../../../test/support/read-back.ts";
import { exact, exactLinePieces, exactPieces, rowsOf } from "./exact-text.ts";
import { columnsOf, revealed } from "./text.ts";

/** Characters that can make a text look like another or a shorter one. */
const tricky = fc.constantFrom(
  ..."\u0000\u0007\b\t\n\r\u001b\u007f\u0085\u009b\u00a0\u00ad\u034f\u061c\u115f\u1680\u180e\u200b\u200c\u200d\u200e\u202e\u2028\u2029\u2060\u2066\u2800\u3000\u3164\ufe0f\ufeff\uffa0\ufff9",
  ..."\u{e0041}\u{e0100}\u{1d173}\u{f0000}\u0301\u0338\u20dd\u0489→│\\u{}()0041ab…-",
  ..." .;&|",
  "\\u0041",
  "\\u{e0041}",
  "\ud800",
  "\udc00",
  "    ",
  "日本",
  "e\u0301\u0301\u0301",
  "\u1112\u1161\u11ab",
  "\u212b",
  "\u{13441}",
);
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc
    .array(fc.oneof(tricky, fc.string({ unit: "grapheme", maxLength: 5 })), { maxLength: 60 })
    .map((parts) => parts.join("")),
);

describe("an exact text", () => {
  it("can be read back for any text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(readBack(exact(text))).toBe(text);
      }),
    );
  });

  it("holds no invisible character, no control character, and none that is drawn over its neighbours", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = exact(text);
        expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Zs} ]|\p{M}{3}/u);
        expect(shown).not.toMatch(/^ | $| {2}/);
      }),
    );
  });

  it("keeps letters, digits, signs and single spaces as they are", () => {
    const plain = "git commit -m 'Größe, naïve ﬁn: 日本語 हिन्दी é 한국' --no-verify; echo 🙂 | sh";
    expect(exact(plain)).toBe(plain);
  });

  it.each(["\u{13441}", "\u{13442}", "\u{1d159}", "\u{16fe4}", "\u2800", "\u3164", "\u115f", "\uffa0", "\ufffc"])(
    "has an escape for %j, which fonts draw as nothing",
    (blank) => {
      for (const pieces of [exactPieces, exactLinePieces]) expect(pieces(`a${blank}b`).join("")).toMatch(/^a\\u.*b$/);
      expect(revealed(`a${blank}b`)).toMatch(/^a\\u.*b$/);
    },
  );

  it("differs for texts that Unicode equates, which look the same", () => {
    const same = [
      "café",
      "cafe\u0301",
      "\u212b",
      "\u00c5",
      "A\u030a",
      "한",
      "\u1112\u1161\u11ab",
      ";",
      "\u037e",
      "क़",
      "\u0958",
    ];
    expect(exact("cafe\u0301")).toBe("cafe\\u0301");
    expect(new Set(same.map((text) => exact(text).normalize("NFC"))).size).toBe(same.length);
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [shown, also] = [exact(one), exact(other)].map((text) => text.normalize("NFC"));
        expect(shown === also).toBe(one === other);
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const shown = exact(text);
        expect(shown.normalize("NFC")).toBe(shown);
      }),
    );
  });

  it("can be read back from rows of any width, none of which ends in a space or is too long", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 10, max: 120 }), (text, columns) => {
        const rows = rowsOf(exactPieces(text), columns);
        expect(readBack(rows.join(""))).toBe(text);
        for (const row of rows) {
          expect(columnsOf(row)).toBeLessThanOrEqual(columns);
          expect(row.endsWith(" ")).toBe(false);
        }
      }),
    );
  });

  it("breaks rows between words, and a word only where it is longer than a row", () => {
    expect(rowsOf(exactPieces("it changes files that run later"), 12)).toEqual([
      "it changes",
      " files that",
      " run later",
    ]);
    expect(rowsOf(exactPieces("see averylongword now"), 8)).toEqual(["see", " averylo", "ngword", " now"]);
    expect(rowsOf(exactLinePieces("      indented-text"), 10)).toEqual(["      inde", "nted-text"]);
  });

  it("keeps the shape of a line of code, and distinguishes tabs from spaces", () => {
    expect(exactLinePieces("\tif (a)  b → c").join("")).toBe("→   if (a)  b \\u2192 c");
  });
});
