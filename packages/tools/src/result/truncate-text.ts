import { isHighSurrogate, isLowSurrogate, utf8Length } from "./utf8-length.ts";

/**
 * A text of at most `maxBytes` UTF-8 bytes: the text itself if it fits, else about 60 % of the room for its head, the
 * note, and its tail. Cuts on code points, and beside rather than inside a short combining sequence. Where there is no
 * room for the whole note, what is left is the note's beginning. The same input always gives the same text.
 *
 * @param note what stands for the omitted part; it is told the bytes left out, the bytes of the whole text, and `from`,
 *   the offset in UTF-16 units at which the omitted part begins
 */
export function truncateText(
  text: string,
  maxBytes: number,
  note: (omittedBytes: number, totalBytes: number, from: number) => string,
): string {
  // Three bytes a unit is the most: a short text need not be counted.
  if (text.length * 3 <= maxBytes) return text;
  const total = utf8Length(text);
  if (total <= maxBytes) return text;
  // No number in the note can have more digits than these.
  const longest = note(total, total, text.length);
  let room = maxBytes - utf8Length(longest);
  while (room >= 0) {
    const head = text.slice(0, headEnd(text, Math.floor(room * headShare)));
    const tail = text.slice(tailStart(text, room - Math.floor(room * headShare)));
    const left = note(total - utf8Length(head) - utf8Length(tail), total, head.length);
    const result = head + left + tail;
    const excess = utf8Length(result) - maxBytes;
    if (excess <= 0) return result;
    room -= excess;
  }
  return longest.slice(0, headEnd(longest, maxBytes));
}

const headShare = 0.6;

/** Where a head of at most so many bytes ends. */
function headEnd(text: string, maxBytes: number): number {
  let end = 0;
  for (let bytes = 0; end < text.length; ) {
    const next = end + (isPair(text, end) ? 2 : 1);
    bytes += sizeOf(text, end);
    if (bytes > maxBytes) break;
    end = next;
  }
  for (let steps = 0, place = end; steps < longestSequence; steps++) {
    if (!isJoined(text, place)) return place;
    place -= isPair(text, place - 2) ? 2 : 1;
  }
  return end;
}

/** Where a tail of at most so many bytes starts. */
function tailStart(text: string, maxBytes: number): number {
  let start = text.length;
  for (let bytes = 0; start > 0; ) {
    const previous = start - (isPair(text, start - 2) ? 2 : 1);
    bytes += sizeOf(text, previous);
    if (bytes > maxBytes) break;
    start = previous;
  }
  for (let steps = 0, place = start; steps < longestSequence; steps++) {
    if (!isJoined(text, place)) return place;
    place += isPair(text, place) ? 2 : 1;
  }
  return start;
}

/** Code points: a sequence that is longer, as a text made of marks only, is cut inside. */
const longestSequence = 32;

function isPair(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
}

/** Bytes of the code point at a place. */
function sizeOf(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return isPair(text, index) ? 4 : 3;
}

/** Whether a reader takes what stands before and after a place for one character. */
function isJoined(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false;
  const before = text.charCodeAt(index - 1);
  if (before === 0x0d) return text.charCodeAt(index) === 0x0a;
  if (before === zeroWidthJoiner) return true;
  return text.charCodeAt(index) >= 0x300 && extender.test(String.fromCodePoint(text.codePointAt(index) ?? 0));
}

const zeroWidthJoiner = 0x200d;

/** What belongs to the character before it: marks, the joiner, skin tones. */
const extender = /^(?:\p{M}|\u200D|[\u{1F3FB}-\u{1F3FF}])$/u;
