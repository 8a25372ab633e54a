import { BACKSLASH } from "./characters.ts";

/**
 * Finds the first fault in the strings of JSON text that has no white space between its tokens: a raw control character,
 * unless these are allowed, or a backslash that begins no valid escape. The text may end inside of a string or an escape.
 *
 * @returns the offset of the fault, -1 if there is none
 * @example stringFault('{"a":"\\x"}') is 6
 */
export function stringFault(text: string, allowsControls = false): number {
  for (const { 0: found, 1: isFault, index } of text.matchAll(escapeOrFault)) {
    if (isFault && !(allowsControls && found < " ")) return index;
  }
  return -1;
}

const escapeOrFault = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4}|(?:u[\da-fA-F]{0,3})?$)|([^ -[\]-\uffff])/g;

/**
 * Finds the quote that ends a string which is open at `from`.
 *
 * @param isEscaping whether the text before this one ended with a backslash that escapes the first character
 * @returns the index of the quote; -1 if the text ends before it; -2 if the text ends before it with a backslash that
 * escapes the next character
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

/** The value of a string or key in quotes. Raw control characters stand for themselves. */
export function decodeString(quoted: string): string {
  const escaped = quoted.replace(controlOrEscape, (found) =>
    found < " " ? JSON.stringify(found).slice(1, -1) : found,
  );
  return JSON.parse(escaped);
}

/** Matches an escape as a whole, so that a control character after a backslash stays an error. */
const controlOrEscape = /\\.|[^ -\uffff]/gs;

/**
 * Whether every string in the JSON text is valid and written as JSON.stringify would write it: no control character, no
 * escape that JSON.stringify does not always write. May be false although it is so, never true although it is not.
 */
export function hasStandardStrings(text: string): boolean {
  return !/[^ -\uffff]|\\[^"\\bfnrt]/.test(text) && text.isWellFormed();
}

/**
 * Rewrites valid JSON text: without white space between tokens and without trailing commas, and with strings as
 * JSON.stringify writes them. The order of keys and the spelling of numbers stay.
 *
 * @param rewrite rewrites the text between strings
 * @example compactJson('{ "b": 1.0, "a\\u0062": [1,] }') is '{"b":1.0,"ab":[1]}'
 */
export function compactJson(json: string, rewrite = withoutLayout): string {
  let text = "";
  for (let i = 0; i < json.length; ) {
    const quote = json.indexOf('"', i);
    const open = quote < 0 ? json.length : quote;
    text += rewrite(json.slice(i, open));
    if (quote < 0) break;
    i = findQuote(json, open + 1) + 1;
    const string = json.slice(open, i);
    text += hasStandardStrings(string) ? string : JSON.stringify(decodeString(string).toWellFormed());
  }
  return text;
}

function withoutLayout(structure: string): string {
  return structure.replace(/[\t\n\r ]+|,(?=[\t\n\r ]*[\]}])/g, "");
}
