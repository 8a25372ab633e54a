/** A part of a text: from `start` up to, but without, `end`. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Returns where parts of a text are after a replacement of some places, followed by the replaced places themselves.
 *
 * @param places the offsets of the replaced parts before the replacement, rising; all have `length` and do not overlap
 */
export function spansAfter(
  spans: readonly Span[],
  places: readonly number[],
  length: number,
  newLength: number,
): readonly Span[] {
  const growth = newLength - length;
  const start = (offset: number): number => {
    const before = endedBefore(places, length, offset);
    const place = places[before];
    return (place !== undefined && place < offset ? place : offset) + before * growth;
  };
  const end = (offset: number): number => {
    const before = endedBefore(places, length, offset);
    const place = places[before];
    return (place !== undefined && place < offset ? place + newLength : offset) + before * growth;
  };
  return [
    ...spans.map((span) => ({ start: start(span.start), end: end(span.end) })),
    ...places.map((place, index) => ({ start: place + index * growth, end: place + index * growth + newLength })),
  ];
}

/** The lines of parts of a text, as rising ranges counted from 1. Ranges that touch are joined. */
export function lineRanges(text: string, spans: readonly Span[]): [from: number, to: number][] {
  const ranges: [from: number, to: number][] = [];
  let line = 1;
  let reached = 0;
  const lineAt = (offset: number): number => {
    for (let next = text.indexOf("\n", reached); next !== -1 && next < offset; next = text.indexOf("\n", reached)) {
      line += 1;
      reached = next + 1;
    }
    return line;
  };
  for (const span of joined(spans)) {
    const from = lineAt(span.start);
    // The line end of its last line belongs to that line.
    const to = lineAt(Math.max(span.start, span.end - 1));
    const last = ranges.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else ranges.push([from, to]);
  }
  return ranges;
}

/** The number of replaced places that end at or before an offset. */
function endedBefore(places: readonly number[], length: number, offset: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) + length <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function joined(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = found.at(-1);
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else found.push({ ...span });
  }
  return found;
}
