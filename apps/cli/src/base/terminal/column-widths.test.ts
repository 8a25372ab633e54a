import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnWidths } from "./column-widths.ts";

describe("the widths of columns", () => {
  it.each<[string, [line: number, word: number][], number, number[] | undefined]>([
    [
      "what they need where that fits",
      [
        [4, 4],
        [20, 6],
      ],
      24,
      [4, 20],
    ],
    [
      "what the narrow one needs, and the rest for the wide one",
      [
        [4, 4],
        [20, 6],
      ],
      18,
      [4, 14],
    ],
    [
      "equal shares for two wide ones",
      [
        [4, 4],
        [90, 6],
        [50, 6],
      ],
      44,
      [4, 20, 20],
    ],
    [
      "a whole path beside prose",
      [
        [48, 48],
        [200, 10],
      ],
      70,
      [48, 22],
    ],
    [
      "none where a word would be broken",
      [
        [48, 48],
        [200, 10],
      ],
      57,
      undefined,
    ],
    ["none in no room at all", [[3, 3]], -2, undefined],
  ])("are %s", (_, needs, room, widths) => {
    expect(
      columnWidths(
        needs.map(([line, word]) => ({ line, word })),
        room,
      ),
    ).toEqual(widths);
  });

  it("use the room, break no word, and leave room to read", () => {
    const need = fc.tuple(fc.nat(60), fc.nat(300)).map(([word, more]) => ({ word, line: word + more }));
    fc.assert(
      fc.property(fc.array(need, { minLength: 1, maxLength: 8 }), fc.nat(200), (needs, room) => {
        const widths = columnWidths(needs, room);
        const total = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
        const least = needs.map(({ word, line }) => Math.max(word, Math.min(line, 12)));
        expect(widths === undefined).toBe(total(least) > room);
        if (!widths) return;
        expect(total(widths)).toBe(Math.min(room, total(needs.map(({ line }) => line))));
        for (const [at, { line }] of needs.entries()) {
          expect(widths[at]).toBeGreaterThanOrEqual(least[at] ?? 0);
          expect(widths[at]).toBeLessThanOrEqual(line);
        }
      }),
    );
  });
});
