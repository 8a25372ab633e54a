// The notation of llama.cpp, GBNF, which xgrammar reads as well. An expression is text that may stand in a sequence.

/** Matches exactly this text. */
export function literal(text: string): string {
  return `"${Array.from(text.toWellFormed(), (character) => escaped(character, '"\\')).join("")}"`;
}

/** Matches one of these characters. `ranges` is the inside of a class, such as `a-z`. */
export function anyOf(characters: string, ranges = ""): string {
  return `[${ranges}${inClass(characters)}]`;
}

/** Matches one character that is none of these. */
export function noneOf(characters: string, ranges = ""): string {
  return `[^${ranges}${inClass(characters)}]`;
}

/** Code points, both ends included. */
type Range = readonly [from: number, to: number];

/** Matches one character within the ranges of code points. */
export function classOf(ranges: readonly Range[]): string {
  const written = ranges.map(([from, to]) => (from === to ? codePoint(from) : `${codePoint(from)}-${codePoint(to)}`));
  return `[${written.join("")}]`;
}

/**
 * As `classOf`, without a class that names characters beyond ASCII: where the ranges hold more than some of those, it matches all of them.
 */
export function wideClassOf(ranges: readonly Range[]): string {
  const ascii = ranges.filter(([from]) => from < 0x80).map(([from, to]): Range => [from, Math.min(to, 0x7f)]);
  const beyond = ranges.filter(([, to]) => to >= 0x80);
  const areFew = beyond.length <= mostLiterals && beyond.every(([from, to]) => from === to);
  const named = areFew ? beyond.map(([code]) => literal(String.fromCodePoint(code))) : ["[^\\u0000-\\u007F]"];
  return choice([...(ascii.length > 0 ? [classOf(ascii)] : []), ...named]);
}

const mostLiterals = 20;

function codePoint(code: number): string {
  if (code > 0xffff) return `\\U${code.toString(16).toUpperCase().padStart(8, "0")}`;
  if (code > 0x7e) return hex(String.fromCharCode(code));
  return inClass(String.fromCodePoint(code));
}

/** Matches any one of the expressions. */
export function choice(expressions: readonly string[]): string {
  const [only] = expressions;
  return expressions.length === 1 ? (only as string) : `(${expressions.join(" | ")})`;
}

/** Matches the expression as often as the bounds say; `max` may be infinite. */
export function times(expression: string, min: number, max: number): string {
  const item = isAtom(expression) ? expression : `(${expression})`;
  if (max === 0) return EMPTY;
  if (min === 1 && max === 1) return expression;
  if (min === 0 && max === 1) return `${item}?`;
  if (min === max) return `${item}{${min}}`;
  if (max !== Number.POSITIVE_INFINITY) return `${item}{${min},${max}}`;
  return min === 0 ? `${item}*` : min === 1 ? `${item}+` : `${item}{${min},}`;
}

/** Matches nothing, which is always there. */
export const EMPTY = '""';

const atom = /^(?:[a-z][\w-]*|"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\])$/;

function isAtom(expression: string): boolean {
  return atom.test(expression);
}

function inClass(characters: string): string {
  return Array.from(characters, (character) => escaped(character, '"\\]-^[')).join("");
}

function escaped(character: string, special: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  if (special.includes(character) || character < " " || character === "\u007f") return hex(character);
  return character;
}

/** With exactly four digits: xgrammar reads `\\x` with as many as follow. */
function hex(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

const shortEscapes: { [character: string]: string } = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
};

/** The control characters, which JSON strings do not hold, as the inside of a class. */
export const CONTROLS = "\\u0000-\\u001F";
