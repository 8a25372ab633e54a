import { columnWidths } from "./column-widths.ts";
import { columnsOf, padded, wordWrapped } from "./text.ts";

interface TableOptions {
  /** Of the terminal; Infinity where the lines go elsewhere, so that each row is one line. */
  readonly columns: number;
  /** The names of the columns. */
  readonly head?: readonly string[];
  /** The columns whose cells are aligned at the right. */
  readonly right?: readonly number[];
  /** Columns of the terminal that the first column takes at most, unless a word is longer. */
  readonly firstAtMost?: number;
  /** Writes a line of a cell in a style; `row` is -1 for the names of the columns. */
  readonly style?: (text: string, column: number, row: number) => string;
}

/**
 * A table as lines. Cells that do not fit are wrapped between words; where the columns are too many for the terminal, each row becomes a
 * list of its cells with the names of their columns. The cells must be free of control characters.
 */
export function tableLines(rows: readonly (readonly string[])[], options: TableOptions): string[] {
  const { columns, head, right = [], firstAtMost = Number.POSITIVE_INFINITY, style = (text) => text } = options;
  const all = head ? [head, ...rows] : rows;
  const rowOf = (at: number) => (head ? at - 1 : at);
  const count = Math.max(0, ...all.map(({ length }) => length));
  const needs = Array.from({ length: count }, (_, at) => {
    const cells = all.map((row) => row[at] ?? "");
    const word = widest(cells.flatMap((cell) => cell.split(" ")));
    const line = widest(cells);
    return { word, line: at === 0 ? Math.min(line, Math.max(word, firstAtMost)) : line };
  });
  const widths = columnWidths(needs, columns - gap.length * (count - 1));
  if (!widths) return listed(rows, options);
  return all.flatMap((row, at) => {
    const wrapped = widths.map((width, column) => {
      const cell = row[column] ?? "";
      return columnsOf(cell) <= width ? [cell] : wordWrapped(cell, width);
    });
    return Array.from({ length: Math.max(...wrapped.map(({ length }) => length)) }, (_, index) => {
      const cells = wrapped.map((lines, column) => {
        const text = lines[index] ?? "";
        const width = widths[column] ?? 0;
        const isLast = column === count - 1;
        const shown = text === "" ? "" : style(text, column, rowOf(at));
        if (right.includes(column)) return padded("", width - columnsOf(text)) + shown;
        return isLast ? shown : shown + padded("", width - columnsOf(text));
      });
      return cells.join(gap).trimEnd();
    });
  });
}

/** Each row as a list of its cells, with the names of their columns. */
function listed(
  rows: readonly (readonly string[])[],
  { columns, head, style = (text) => text }: TableOptions,
): string[] {
  return rows.flatMap((row, at) =>
    row.flatMap((cell, column) => {
      if (cell === "") return [];
      const margin = column === 0 ? "" : indent;
      const name = column > 0 && head?.[column] ? `${head[column]}: ` : "";
      return wordWrapped(name + cell, columns - margin.length).map((line) => margin + style(line, column, at));
    }),
  );
}

const gap = "  ";
const indent = "    ";

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, columnsOf(text)), 0);
}
