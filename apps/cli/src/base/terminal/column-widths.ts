/** What the cells of a column need. */
export interface ColumnNeed {
  /** Columns of the terminal that the longest cell takes on one line. */
  readonly line: number;
  /** Columns of the terminal that the longest word takes. */
  readonly word: number;
}

/**
 * How wide the columns of a table are in a room of so many columns of the terminal. Where not every cell fits on a line, all have at least
 * their longest word, and the narrow ones get what they need before the wide ones share the rest.
 *
 * @returns undefined where a word would be broken, or a column with much to say would be too narrow to be read
 */
export function columnWidths(needs: readonly ColumnNeed[], room: number): number[] | undefined {
  const lines = needs.map(({ line }) => line);
  if (sum(lines) <= room) return lines;
  const least = needs.map(({ line, word }) => Math.max(word, Math.min(line, readable)));
  return sum(least) <= room ? grown(least, lines, room) : undefined;
}

/** Columns of the terminal in which a text can be read. */
const readable = 12;

/** Widens the narrowest ones, none beyond what it needs, until the room is used up. */
function grown(least: readonly number[], most: readonly number[], room: number): number[] {
  const widths = [...least];
  for (let rest = room - sum(widths); rest > 0; rest--) {
    let narrowest = -1;
    for (const [at, width] of widths.entries()) {
      const isNarrower = narrowest < 0 || width < (widths[narrowest] ?? 0);
      if (width < (most[at] ?? 0) && isNarrower) narrowest = at;
    }
    if (narrowest < 0) break;
    widths[narrowest] = (widths[narrowest] ?? 0) + 1;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
