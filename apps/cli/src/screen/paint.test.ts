import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emulator } from "../../test/support/emulator.ts";
import { emptyFrame, type Frame, painted, row, rowsAbove } from "./paint.ts";

/** `pnpm soak` does many more. */
const runs = Number(process.env.COGENCY_SCREEN_RUNS ?? 40);

/** Texts whose columns all terminals agree on: letters, wide ones, marks, text from right to left, colours. */
const piece = fc.constantFrom(
  "a",
  "b ",
  "word",
  " ",
  "漢",
  "字か",
  "한",
  "e\u0301",
  "שלום",
  "\u001b[1mbold\u001b[22m",
  "…",
  "│ ",
);
const agreed = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
/** Texts whose columns they disagree on, and which do not fit. */
const disputed = fc
  .array(
    fc.oneof(
      piece,
      fc.constantFrom("👨‍👩‍👧‍👦", "❤️", "🇩🇪", "👍🏽", "😀", "नमस्ते", "\t", "\r", "\n", "\u0007", "\u009b2J", "\u001bc"),
    ),
    {
      maxLength: 60,
    },
  )
  .map((pieces) => pieces.join(""));

const sizes = fc.record({ columns: fc.integer({ min: 10, max: 60 }), rows: fc.integer({ min: 4, max: 12 }) });

function frameOf(texts: readonly string[], at: number, columns: number): Frame {
  const rows = texts.map((text) => row(text, columns));
  const cursorRow = at % rows.length;
  return { rows, cursor: { row: cursorRow, column: Math.min(columns - 1, at % 7) } };
}

/** What a terminal shows of a row: without colours, and without the spaces at its end. */
function shown(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours.
  return text.replace(/\x1b\[[\d;]*m/g, "").trimEnd();
}

function frames(text: fc.Arbitrary<string>, most: number) {
  return fc.array(
    fc.record({
      lines: fc.array(text, { maxLength: 3 }),
      texts: fc.array(text, { minLength: 1, maxLength: most }),
      at: fc.nat({ max: 20 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
}

describe("painted", () => {
  it("leaves exactly the lines and the last frame on a terminal, with the cursor where it belongs", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, frames(agreed, 3), fc.nat({ max: 15 }), async ({ columns, rows }, steps, before) => {
        const terminal = emulator(columns, rows);
        const expected = Array.from({ length: before }, (_, index) => `shell ${index}`);
        await terminal.write(expected.map((line) => `${line}\r\n`).join(""));
        let frame = emptyFrame;
        for (const { lines, texts, at } of steps) {
          const kept = lines.map((line) => row(line, columns));
          const after = frameOf(texts, at, columns);
          await terminal.write(painted(frame, kept, after, columns));
          frame = after;
          expected.push(...kept.map(shown));
          const all = [...expected, ...after.rows.map(shown)];
          expect(terminal.lines().slice(0, all.length)).toEqual(all);
          expect(terminal.lines().slice(all.length).join("")).toBe("");
          expect(terminal.cursor).toEqual({ row: expected.length + after.cursor.row, column: after.cursor.column });
        }
      }),
      { numRuns: runs },
    );
  });
});

describe("rowsAbove", () => {
  const frame = (...rows: string[]): Frame => ({ rows, cursor: { row: rows.length - 1, column: 25 } });
  const above = (rows: string[], unsure: number[] = [], isCursorWrapped = false, columns = 10) =>
    rowsAbove(frame(...rows, ""), { columns, isCursorWrapped, isUnsure: (index) => unsure.includes(index) });

  it("counts the rows that a narrower terminal makes of those above the cursor", () => {
    expect(above([""])).toBe(1);
    expect(above(["a".repeat(10)])).toBe(1);
    expect(above(["a".repeat(21), "b"])).toBe(4);
    expect(above([`\u001b[1m${"a".repeat(11)}\u001b[22m`])).toBe(2);
    expect(above(["x"], [], true)).toBe(3);
  });

  it("knows that a wide character which does not fit goes into the next row whole", () => {
    expect(above(["漢".repeat(6)], [], false, 5)).toBe(3);
    expect(above([`${"漢".repeat(6)}a`], [], false, 5)).toBe(3);
  });

  it("counts what terminals disagree on as the fewest rows, and so a row that may have been written after the change", () => {
    expect(above(["❤️".repeat(10)])).toBe(1);
    expect(above(["a".repeat(95)], [0])).toBe(1);
    expect(above(["x"], [1], true)).toBe(1);
  });
});

describe("row", () => {
  it("is never wider than the columns, whatever the text is", () => {
    fc.assert(
      fc.property(disputed, fc.integer({ min: 4, max: 40 }), (text, columns) => {
        const cut = row(text, columns);
        expect(visibleWidth(cut)).toBeLessThanOrEqual(columns);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing but colours may be among them.
        expect(cut.replace(/\x1b\[[\d;]*m/g, "")).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
