/** A part of a text: from `start` up to, but without, `end`. */
export interface Span {
  start: number;
  end: number;
}

/** A replaced part of a text, and the length of what it became. */
export interface Change extends Span {
  newLength: number;
}

/**
 * Returns where parts of a text are after a replacement of some places, followed by the replaced places themselves.
 *
 * @param changes rising; they do not overlap
 */
export function spansAfter(spans: readonly Span[], changes: readonly Change[]): readonly Span[] {
  // How much the text before each change has grown.
  const growth = [0];
  for (const { start, end, newLength } of changes) growth.push((growth.at(-1) ?? 0) + newLength - (end - start));
  const moved = (offset: number, isEnd: boolean): number => {
    const before = endedBefore(changes, offset);
    const change = changes[before];
    const isInside = change !== undefined && change.start < offset;
    const place = isInside ? change.start + (isEnd ? change.newLength : 0) : offset;
    return place + (growth[before] ?? 0);
  };
  return [
    ...spans.map((span) => ({ start: moved(span.start, false), end: moved(span.end, true) })),
    ...changes.map(({ start, newLength }, index) => {
      const now = start + (growth[index] ?? 0);
      return { start: now, end: now + newLength };
    }),
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

/** The number of changes that end at or before an offset. */
function endedBefore(changes: readonly Change[], offset: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.end ?? 0) <= offset) low = middle + 1;
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
