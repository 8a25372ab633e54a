import { WebError } from "../web-error.ts";

export interface TextPage {
  text: string;
  /** The length of the whole text in characters; absent if this page is all of it. */
  total?: number;
  /** Where the next page begins; absent on the last. */
  next?: number;
}

const mostCharacters = 20_000;
/** Less than the executor's default limit for a result, in any script. */
const mostBytes = 48_000;

/**
 * Returns one page of a text, from an offset in characters (UTF-16). It ends at the end of a line, if there is one in its second
 * half, and never within a character.
 *
 * @throws WebError `offset_invalid`
 */
export function textPage(text: string, from: number, url: string): TextPage {
  if (from > 0 && from >= text.length) {
    throw new WebError("offset_invalid", url, `The text has ${text.length} characters; ${from} is beyond its end.`);
  }
  const start = isWithinCharacter(text, from) ? from - 1 : from;
  const end = pageEnd(text, start);
  const page = text.slice(start, end).toWellFormed();
  if (start === 0 && end === text.length) return { text: page };
  return { text: page, total: text.length, ...(end < text.length && { next: end }) };
}

function pageEnd(text: string, start: number): number {
  let end = Math.min(start + mostCharacters, text.length);
  for (let bytes = bytesOf(text, start, end); bytes > mostBytes; bytes = bytesOf(text, start, end)) {
    end = start + Math.floor(((end - start) * mostBytes) / bytes);
  }
  if (end === text.length) return end;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  if (line > start + (end - start) / 2) return line;
  return isWithinCharacter(text, end) ? end - 1 : end;
}

function bytesOf(text: string, start: number, end: number): number {
  return Buffer.byteLength(text.slice(start, end));
}

function isWithinCharacter(text: string, at: number): boolean {
  return at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}
