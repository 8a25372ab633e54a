/** A part of a text: from `start` up to, but without, `end`. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Follows parts of a text through a replacement of some of its places, and adds the places themselves.
 *
 * @param places where the replaced parts began, rising, all of the same length and apart from each other
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

/** Where parts of a text are, as ranges of lines counted from 1: rising, those that touch joined. */
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

/** How many of the replaced places end at or before an offset. */
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
