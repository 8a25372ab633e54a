import type { TextSearch } from "./text-search.ts";

/** A line of a text, counted from 1. */
export interface Line {
  line: number;
  /** A long line is cut to the part around the match. */
  text: string;
}

/** Yields each line in which a match begins once. */
export function* matchingLines(text: string, search: TextSearch): Generator<Line> {
  const next = search.in(text);
  let line = 1;
  let start = 0;
  let match = next(0);
  while (match !== undefined) {
    let end = lineEnd(text, start);
    while (end < match.start) {
      line += 1;
      start = end + 1;
      end = lineEnd(text, start);
    }
    // An expression can match the empty text after the last line end, which is not a line.
    if (start === text.length && start > 0) return;
    yield { line, text: excerpt(text.slice(start, end).replace(/\r$/, ""), match.start - start) };
    match = next(end + 1);
  }
}

const mostCharacters = 200;
const charactersBefore = 60;

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function excerpt(line: string, column: number): string {
  if (line.length <= mostCharacters) return line;
  const from = Math.max(0, Math.min(column - charactersBefore, line.length - mostCharacters));
  const to = from + mostCharacters;
  // A cut through a surrogate pair leaves half a character, which is dropped.
  const cut = line.slice(from, to).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${from > 0 ? "…" : ""}${cut}${to < line.length ? "…" : ""}`;
}
