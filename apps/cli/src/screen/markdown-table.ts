import { visibleWidth } from "@earendil-works/pi-tui";
import { columnWidths } from "../base/terminal/column-widths.ts";

/** A table whose cells are rows of a terminal already, styles and all. */
export interface MarkdownTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How the cells of each column are aligned; null by default. */
  readonly align: readonly (string | null)[];
}

interface TableLook {
  /** Writes the names of the columns. */
  bold(text: string): string;
  /** Wraps a cell, so that its styles do not run into the next one. */
  wrap(text: string, columns: number): string[];
}

/**
 * The rows of a table. Cells that do not fit are wrapped between words; where a word would have to be broken, each row becomes a list of
 * its cells with the names of their columns.
 */
export function markdownTableRows(table: MarkdownTable, columns: number, look: TableLook): string[] {
  const { head, rows, align } = table;
  const needs = head.map((name, at) => {
    const cells = [name, ...rows.map((row) => row[at] ?? "")];
    return {
      line: widest(cells, 1),
      // Most tables fit, and then nobody asks.
      get word() {
        const words = cells.flatMap((cell) => cell.split(/\s+/));
        return widest(words, 1);
      },
    };
  });
  const room = columnWidths(needs, columns - 3 * head.length - 1);
  if (!room) return listed(table, columns, look);
  const wrapped = [head, ...rows].map((cells) =>
    room.map((width, at) => {
      const cell = cells[at] ?? "";
      return visibleWidth(cell) <= width ? [cell] : look.wrap(cell, width);
    }),
  );
  // Lines that break between words may leave some of the room.
  const widths = room.map((_, at) =>
    widest(
      wrapped.flatMap((cells) => cells[at] ?? []),
      1,
    ),
  );
  const border = (left: string, middle: string, right: string) =>
    `${left}─${widths.map((width) => "─".repeat(width)).join(`─${middle}─`)}─${right}`;
  const [first = [], ...others] = wrapped.map((cells, row) => {
    const style = row === 0 ? look.bold : (text: string) => text;
    const lines = Math.max(1, ...cells.map(({ length }) => length));
    return Array.from({ length: lines }, (_, line) => {
      const parts = widths.map((width, at) => style(aligned(cells[at]?.[line] ?? "", width, align[at])));
      return `│ ${parts.join(" │ ")} │`;
    });
  });
  const between = border("├", "┼", "┤");
  const body = others.length === 0 ? [between] : others.flatMap((lines) => [between, ...lines]);
  return [border("┌", "┬", "┐"), ...first, ...body, border("└", "┴", "┘")];
}

function listed({ head, rows }: MarkdownTable, columns: number, { bold, wrap }: TableLook): string[] {
  if (rows.length === 0) return wrap(head.map(bold).join(", "), columns);
  return rows.flatMap((cells, row) => [
    ...(row === 0 ? [] : [""]),
    ...head.flatMap((name, at) =>
      wrap(`${bold(name)}: ${cells[at] ?? ""}`, columns - 2).map((line, index) => (index === 0 ? line : `  ${line}`)),
    ),
  ]);
}

function aligned(text: string, columns: number, align: string | null | undefined): string {
  const free = Math.max(0, columns - visibleWidth(text));
  const left = align === "right" ? free : align === "center" ? Math.floor(free / 2) : 0;
  return `${" ".repeat(left)}${text}${" ".repeat(free - left)}`;
}

function widest(texts: readonly string[], least: number): number {
  return texts.reduce((most, text) => Math.max(most, visibleWidth(text)), least);
}
