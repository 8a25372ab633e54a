import { isHighSurrogate, isLowSurrogate, utf8Length } from "./utf8-length.ts";

/**
 * Shortens a text to at most `maxBytes` UTF-8 bytes: the text itself if it fits, else its head, a note and its tail, with
 * about 60 % of the room for the head. Cuts between code points, and not inside a short combining sequence. If the note does
 * not fit, the result is the beginning of the note. The same input always gives the same text.
 *
 * @param note returns the text in place of the omitted part. It gets the bytes left out, the bytes of the whole text, and
 *   `from`, the offset in UTF-16 units at which the omitted part begins
 */
export function truncateText(
  text: string,
  maxBytes: number,
  note: (omittedBytes: number, totalBytes: number, from: number) => string,
): string {
  // A UTF-16 unit takes at most three bytes, so a short text need not be counted.
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

/** The index at which a head of at most `maxBytes` ends. */
function headEnd(text: string, maxBytes: number): number {
  let end = 0;
  for (let bytes = 0; end < text.length; ) {
    const next = end + (isPair(text, end) ? 2 : 1);
    bytes += sizeOf(text, end);
    if (bytes > maxBytes) break;
    end = next;
  }
  for (let steps = 0, index = end; steps < longestSequence; steps++) {
    if (!isJoined(text, index)) return index;
    index -= isPair(text, index - 2) ? 2 : 1;
  }
  return end;
}

/** The index at which a tail of at most `maxBytes` starts. */
function tailStart(text: string, maxBytes: number): number {
  let start = text.length;
  for (let bytes = 0; start > 0; ) {
    const previous = start - (isPair(text, start - 2) ? 2 : 1);
    bytes += sizeOf(text, previous);
    if (bytes > maxBytes) break;
    start = previous;
  }
  for (let steps = 0, index = start; steps < longestSequence; steps++) {
    if (!isJoined(text, index)) return index;
    index += isPair(text, index) ? 2 : 1;
  }
  return start;
}

/** Code points. A longer combining sequence, such as a text of marks only, is cut inside. */
const longestSequence = 32;

function isPair(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
}

/** Bytes of the code point at an index. */
function sizeOf(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return isPair(text, index) ? 4 : 3;
}

/** Whether the code points before and after an index make one visible character. */
function isJoined(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false;
  const before = text.charCodeAt(index - 1);
  if (before === 0x0d) return text.charCodeAt(index) === 0x0a;
  if (before === zeroWidthJoiner) return true;
  return text.charCodeAt(index) >= 0x300 && extender.test(String.fromCodePoint(text.codePointAt(index) ?? 0));
}

const zeroWidthJoiner = 0x200d;

/** Code points that belong to the character before them: marks, the joiner, skin tones. */
const extender = /^(?:\p{M}|\u200D|[\u{1F3FB}-\u{1F3FF}])$/u;
