import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { truncateText } from "./truncate-text.ts";
import { utf8Length } from "./utf8-length.ts";

const note = (omitted: number, total: number) => `[${omitted}/${total}]`;

describe("truncateText", () => {
  it("leaves a text that fits as it is", () => {
    expect(truncateText("aé€\u{1F600}", 10, note)).toBe("aé€\u{1F600}");
    expect(truncateText("", 0, note)).toBe("");
  });

  it("keeps about 60 % head and 40 % tail around the note", () => {
    const text = `${"h".repeat(100)}${"t".repeat(100)}`;
    expect(truncateText(text, 59, note)).toBe(`${"h".repeat(30)}[150/200]${"t".repeat(20)}`);
  });

  it("passes the offset of the omitted part to the note, in UTF-16 units", () => {
    const text = "\u{1F600}".repeat(100);
    const cut = truncateText(text, 100, (omitted, total, from) => `[${omitted} of ${total} from ${from}]`);
    const [, head = "", omitted, from, tail = ""] = /^(.*)\[(\d+) of 400 from (\d+)\](.*)$/su.exec(cut) ?? [];
    expect(text.slice(0, Number(from))).toBe(head);
    expect(Number(omitted)).toBe(400 - utf8Length(head) - utf8Length(tail));
  });

  it.each([
    ["a pair of surrogates", "\u{1F600}"],
    ["a letter and its accents", "e\u0301\u0327"],
    ["a family", "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}"],
    ["a skin tone", "\u{1F44D}\u{1F3FD}"],
    ["a variation selector", "\u2764\uFE0F"],
    ["a line break of two characters", "\r\n"],
  ])("does not cut inside %s", (_, sequence) => {
    for (let maxBytes = 12; maxBytes < 150; maxBytes++) {
      const cut = truncateText(sequence.repeat(100), maxBytes, () => "|");
      expect(cut.split("|").join("").replaceAll(sequence, "")).toBe("");
    }
  });

  it("cuts an endless sequence of marks somewhere", () => {
    const text = `e${"\u0301".repeat(10_000)}`;
    const cut = truncateText(text, 1000, note);
    expect(utf8Length(cut)).toBeGreaterThan(900);
  });

  it.each([
    [9, "[200/200]"],
    [5, "[200/"],
    [0, ""],
  ])("in %d bytes without room for anything but the note gives the note's beginning", (maxBytes, expected) => {
    expect(truncateText("x".repeat(200), maxBytes, note)).toBe(expected);
  });

  it("keeps the limit with a note that grows as more is left out", () => {
    const growing = (omitted: number) => "n".repeat(omitted === 1000 ? 1 : Math.floor(omitted / 20));
    expect(utf8Length(truncateText("x".repeat(1000), 100, growing))).toBeLessThanOrEqual(100);
  });

  it("gives head and tail of any text within the limit, on code points, and the same text each time", () => {
    const units = fc.string({
      unit: fc.oneof(fc.constantFrom("a", "é", "€", "\u{1F600}", "\u0301", "\r", "\n", "\u200D")),
      maxLength: 300,
    });
    fc.assert(
      fc.property(units, fc.nat({ max: 400 }), (text, maxBytes) => {
        const cut = truncateText(text, maxBytes, note);
        const total = utf8Length(text);
        expect(utf8Length(cut)).toBeLessThanOrEqual(maxBytes);
        expect(cut.isWellFormed()).toBe(true);
        expect(truncateText(text, maxBytes, note)).toBe(cut);
        const [, head, omitted, tail] = /^(.*)\[(\d+)\/\d+\](.*)$/su.exec(cut) ?? [];
        if (total <= maxBytes) {
          expect(cut).toBe(text);
        } else if (head === undefined || tail === undefined) {
          expect(note(total, total).startsWith(cut)).toBe(true);
        } else {
          expect(text.startsWith(head)).toBe(true);
          expect(text.endsWith(tail)).toBe(true);
          expect(Number(omitted)).toBe(total - utf8Length(head) - utf8Length(tail));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
