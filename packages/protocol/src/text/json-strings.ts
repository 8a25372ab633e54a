import { BACKSLASH } from "./characters.ts";

/**
 * Where the strings of JSON text without white space between its tokens go wrong: the offset of the first raw control
 * character, unless these are allowed, or of the first backslash that begins no valid escape; -1 if there is none. The
 * text may end inside a string or an escape.
 */
export function stringFault(text: string, allowsControls = false): number {
  for (const { 0: found, 1: isFault, index } of text.matchAll(escapeOrFault)) {
    if (isFault && !(allowsControls && found < " ")) return index;
  }
  return -1;
}

const escapeOrFault = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4}|(?:u[\da-fA-F]{0,3})?$)|([^ -[\]-\uffff])/g;

/**
 * The index of the quote that ends a string which is open at `from`. Where the text ends before, -1, or -2 if it ends
 * with a backslash that escapes what comes next; `isEscaping` says that the text before ended so.
 */
export function findQuote(text: string, from: number, isEscaping = false): number {
  let start = isEscaping ? from + 1 : from;
  for (;;) {
    const quote = text.indexOf('"', start);
    const stop = quote < 0 ? text.length : quote;
    let before = stop;
    while (before > start && text.charCodeAt(before - 1) === BACKSLASH) before--;
    const isEscaped = (stop - before) % 2 === 1;
    if (quote < 0) return isEscaped || start > stop ? -2 : -1;
    if (!isEscaped) return quote;
    start = quote + 1;
  }
}

/** What a string or key in quotes says; raw control characters stand for themselves. */
export function decodeString(quoted: string): string {
  const escaped = quoted.replace(controlOrEscape, (found) =>
    found < " " ? JSON.stringify(found).slice(1, -1) : found,
  );
  return JSON.parse(escaped);
}

/** An escape is taken as a whole, so that a control character after a backslash stays the error it is. */
const controlOrEscape = /\\.|[^ -\uffff]/gs;

/**
 * Every string in it is valid and written as JSON.stringify would: no control character, no escape that JSON.stringify
 * does not always write. May be wrong in being false.
 */
export function isUsual(text: string): boolean {
  return !/[^ -\uffff]|\\[^"\\bfnrt]/.test(text) && text.isWellFormed();
}

/**
 * Valid JSON text without the white space between its tokens and without trailing commas, with its strings written as
 * JSON.stringify would. Keys and numbers stay as they stand.
 *
 * @param rewrite what to make of the text between strings
 */
export function canonicalJson(json: string, rewrite = dropSuperfluous): string {
  let text = "";
  for (let i = 0; i < json.length; ) {
    const quote = json.indexOf('"', i);
    const open = quote < 0 ? json.length : quote;
    text += rewrite(json.slice(i, open));
    if (quote < 0) break;
    i = findQuote(json, open + 1) + 1;
    const string = json.slice(open, i);
    text += isUsual(string) ? string : JSON.stringify(decodeString(string).toWellFormed());
  }
  return text;
}

function dropSuperfluous(structure: string): string {
  return structure.replace(/[\t\n\r ]+|,(?=[\t\n\r ]*[\]}])/g, "");
}
