/** A text in which every line ends in LF, as models write it, and where its characters stand in the text itself. */
export interface UnifiedText {
  text: string;
  /** The offset in the text itself. */
  original(offset: number): number;
  /** The offset in the unified text of one in the text itself; between CR and LF, the one behind both. */
  unified(offset: number): number;
}

/** CRLF and CR become LF. */
export function unifiedText(text: string): UnifiedText {
  if (!text.includes("\r")) return { text, original: asItIs, unified: asItIs };
  /** The offsets, in the unified text, of the line ends that were CRLF. */
  const joined: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) joined.push(at - joined.length);
  return {
    text: unifiedLineEnds(text),
    original: (offset) => offset + countBelow(joined.length, (index) => (joined[index] ?? 0) < offset),
    unified: (offset) => offset - countBelow(joined.length, (index) => (joined[index] ?? 0) + index + 1 < offset),
  };
}

export function unifiedLineEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function asItIs(offset: number): number {
  return offset;
}

/** How many of the first `length` numbers fulfil a test that all after the first one that does not fail as well. */
function countBelow(length: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Gives a new text the line ends of the place that it replaces. */
export type Adapted = (written: string) => string;

/**
 * Gives new texts the line ends of the file: LF becomes that of all its lines or, in a file with several kinds, the first one in
 * the replaced place. Where there is none, and after a CR that the new text has itself, LF stays.
 *
 * @param text of the file
 */
export function lineEndsOf(text: string): (place: { start: number; end: number }) => Adapted {
  const ends = new Set(text.match(/\r\n|\r|\n/g));
  const byEnd = new Map([...ends].map((end) => [end, end === "\n" ? asWritten : withLineEnds(end)]));
  if (byEnd.size < 2) {
    const [only = asWritten] = byEnd.values();
    return () => only;
  }
  return ({ start, end }) => {
    const [first = ""] = /\r\n|\r|\n/.exec(text.slice(start, end)) ?? [];
    return byEnd.get(first) ?? asWritten;
  };
}

/** Takes new texts as they are written. */
export function asWritten(written: string): string {
  return written;
}

/** A replacement has the same text at thousands of places. */
function withLineEnds(end: string): Adapted {
  const known = new Map<string, string>();
  return (written) => {
    const adapted = known.get(written) ?? written.replace(/(?<!\r)\n/g, end);
    if (known.size < mostKnown) known.set(written, adapted);
    return adapted;
  };
}

const mostKnown = 100;

/** Whether two texts differ only in their line ends: such a replacement is about them, and is taken as it is written. */
export function differInLineEnds(one: string, other: string): boolean {
  return one !== other && unifiedLineEnds(one) === unifiedLineEnds(other);
}
