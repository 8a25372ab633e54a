import { columnsOf, fitted } from "../base/terminal/text.ts";

/** A part of a line that has to fit. */
export interface LinePart {
  /** The ways to say it, the longest first; an empty one leaves it out. */
  readonly ways: readonly string[];
  /** The part with the lowest rank is shortened first, and then left out first. */
  readonly rank: number;
}

/** `one · two · three`: parts on a line of at most so many columns, which says the less the narrower it is. */
export function fittedParts(parts: readonly LinePart[], columns: number): string {
  const shown = parts.map(({ ways, rank }): { ways: readonly string[]; rank: number } => {
    return { ways: ways.filter((way) => way !== ""), rank };
  });
  const line = () => shown.flatMap(({ ways }) => ways.slice(0, 1)).join(" · ");
  const lowest = [...shown].sort((one, other) => one.rank - other.rank);
  // All are shortened before any is left out. The last one is cut instead.
  const most = lowest.flatMap((part) => part.ways.slice(1).map(() => part));
  const dropped: { part: (typeof shown)[number]; ways: readonly string[] }[] = [];
  for (const part of [...most, ...lowest.slice(0, -1)]) {
    if (columnsOf(line()) <= columns) break;
    if (part.ways.length === 1) dropped.unshift({ part, ways: part.ways });
    part.ways = part.ways.slice(1);
  }
  // A long part that was left out may have made room for shorter ones.
  for (const { part, ways } of dropped) {
    part.ways = ways;
    if (columnsOf(line()) > columns) part.ways = [];
  }
  return fitted(line(), columns);
}
