/**
 * The one name that differs from a wanted one only in what a reader cannot see or tell apart: kinds of space, quotes and dashes, and
 * the Unicode normalization of letters. Undefined if there is none, or more than one.
 *
 * @example
 * twinName("Screenshot 9.41 AM.png", ["Screenshot 9.41\u202fAM.png"]) // "Screenshot 9.41\u202fAM.png"
 */
export function twinName(wanted: string, names: readonly string[]): string | undefined {
  const key = plainName(wanted);
  const twins = names.filter((name) => plainName(name) === key);
  return twins.length === 1 ? twins[0] : undefined;
}

function plainName(name: string): string {
  return name
    .normalize("NFC")
    .replace(invisible, "")
    .replace(/\s/gu, " ")
    .replace(/[\u2018-\u201b\u2032\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212\u2043\ufe58\ufe63\uff0d]/g, "-");
}

/** Shows a name with escapes for what looks like something else, or like nothing: `Screenshot\u202fAM.png`. */
export function escapedName(name: string): string {
  return Array.from(name, (character) => (isPlain.test(character) ? character : escaped(character))).join("");
}

const invisible = /[\u200b-\u200f\u2060\ufeff\u00ad]/g;
/** Letters, numbers, signs of ASCII and symbols, but no other space, quote, dash, mark or control. */
const isPlain = /^(?:[\x20-\x7e]|\p{L}|\p{N}|\p{S})$/u;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
