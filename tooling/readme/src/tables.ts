import { codeBlocks } from "./code-blocks.ts";

/** A table of a Markdown text. */
export interface Table {
  /** The text of the last heading before it, `""` if there is none. */
  heading: string;
  /** The line of its first row, counted from 1. */
  line: number;
  /** The cells of its first row. */
  header: string[];
  /** The cells of the rows below the line of dashes. */
  rows: string[][];
}

/** The tables of a Markdown text, in order. Code blocks have none. */
export function tablesOf(markdown: string): Table[] {
  const tables: Table[] = [];
  const lines = withoutCode(markdown);
  let heading = "";
  for (const [index, line] of lines.entries()) {
    heading = /^#{1,6} +(.+?) *$/.exec(line)?.[1] ?? heading;
    if (!/^\|[\s:|-]+\|\s*$/.test(lines[index + 1] ?? "") || !line.startsWith("|")) continue;
    const after = lines.slice(index + 2);
    const end = after.findIndex((row) => !row.startsWith("|"));
    const rows = end === -1 ? after : after.slice(0, end);
    tables.push({ heading, line: index + 1, header: cellsOf(line), rows: rows.map(cellsOf) });
  }
  return tables;
}

function withoutCode(markdown: string): string[] {
  const lines = markdown.split(/\r?\n/);
  for (const { line, code } of codeBlocks(markdown)) lines.fill("", line - 1, line + code.split("\n").length + 1);
  return lines;
}

/** A `|` that belongs to a cell is written as `\|`. */
function cellsOf(row: string): string[] {
  const cells = row.trim().split(/(?<!\\)\|/);
  return cells.slice(1, -1).map((cell) => cell.replaceAll("\\|", "|").trim());
}
