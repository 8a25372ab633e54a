import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnsOf } from "../base/terminal/text.ts";
import { markdownRows, markdownTheme } from "./markdown-rows.ts";

const theme = markdownTheme(process.stdout);

function rowsOf(source: string, columns: number): string[] {
  return markdownRows({ source, goesOn: false, isOpen: false }, columns, theme).map((row) =>
    stripVTControlCharacters(row),
  );
}

const prices = `| name | what it is | price |
|---|---|---:|
| apple-pie | a round thing that is eaten warm | 12 |
| x | **short** | 7 |`;

describe("a table of Markdown", () => {
  it("wraps its cells between words, the widest column first, and aligns numbers", () => {
    expect(rowsOf(prices, 44)).toEqual([
      "┌───────────┬────────────────────┬───────┐",
      "│ name      │ what it is         │ price │",
      "├───────────┼────────────────────┼───────┤",
      "│ apple-pie │ a round thing that │    12 │",
      "│           │ is eaten warm      │       │",
      "├───────────┼────────────────────┼───────┤",
      "│ x         │ short              │     7 │",
      "└───────────┴────────────────────┴───────┘",
    ]);
  });

  it("becomes a list where a word would have to be broken", () => {
    expect(rowsOf(prices, 22)).toEqual([
      "name: apple-pie",
      "what it is: a round",
      "  thing that is eaten",
      "  warm",
      "price: 12",
      "",
      "name: x",
      "what it is: short",
      "price: 7",
    ]);
  });

  it("has room in a list and in a quote", () => {
    expect(rowsOf("- see\n\n  | a | b |\n  |---|---|\n  | 1 | the one and the two |\n", 23).slice(2)).toEqual([
      "  ┌───┬─────────────┐",
      "  │ a │ b           │",
      "  ├───┼─────────────┤",
      "  │ 1 │ the one and │",
      "  │   │ the two     │",
      "  └───┴─────────────┘",
    ]);
    expect(rowsOf("> | a | b |\n> |---|---|\n> | 1 | 2 |\n", 20)).toContain("│ │ 1 │ 2 │");
  });

  it("breaks no word that fits on a row, whatever it holds, and is never too wide", () => {
    const word = fc.stringMatching(/^[a-z]{1,14}$/);
    const cell = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
    const table = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 4 })).chain(([width, height]) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: height + 1,
        maxLength: height + 1,
      }),
    );
    fc.assert(
      fc.property(table, fc.integer({ min: 20, max: 90 }), (cells, columns) => {
        const [head = [], ...rows] = cells.map((row) => row.join(" | "));
        const width = cells[0]?.length ?? 0;
        const shown = rowsOf(
          [head, Array(width).fill("---").join(" | "), ...rows].map((row) => `| ${row} |`).join("\n"),
          columns,
        );
        for (const row of shown) expect(columnsOf(row.replace(/[│┌┐└┘├┤┬┴┼─]/g, "|"))).toBeLessThanOrEqual(columns);
        const words = new Set(shown.flatMap((row) => row.split(/[^a-z]+/)));
        for (const text of cells.flat().flatMap((text) => text.split(" "))) expect(words).toContain(text);
      }),
    );
  });
});
