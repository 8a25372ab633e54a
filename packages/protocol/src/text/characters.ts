// Character codes. This module imports nothing, so that bundlers replace the names by the numbers.
const TAB = 9;
export const LF = 10;
export const CR = 13;
const SPACE = 32;
export const LESS_THAN = 60;
export const BACKSLASH = 92;
export const BACKTICK = 96;

/** White space within a line. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** The index of the first character at `from` or later that is not white space. */
export function skipSpace(text: string, from: number): number {
  let i = from;
  while (isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** White space of the protocol: tab, line feed, carriage return, space (protocol.md §1). */
export function isSpace(code: number): boolean {
  return isBlank(code) || code === LF || code === CR;
}

/** The index of the character at `from` or later; the length of the text if there is none. */
export function indexOf(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index < 0 ? text.length : index;
}

/** The index after the last character that is not white space; 0 if there is none. */
export function endOfText(text: string): number {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}
