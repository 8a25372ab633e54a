import { fold } from "./fold.ts";

/** A word of a search, as a full-text index contains it. */
export interface SearchWord {
  /** The folded word. */
  text: string;
  /** The tokens that `searchTokens` makes of the word. Several tokens stand side by side in the text. */
  tokens: readonly string[];
  /** Whether a longer token that begins with the last of `tokens` matches too. */
  isPrefix: boolean;
}

/**
 * The different words of a search, at most 32; empty for a text without letters and digits. An adapter finds the events
 * that contain any of them and passes these to `rankMatches`.
 */
export function searchWords(text: string): SearchWord[] {
  const words = new Set(fold(text).match(run));
  return Array.from(words)
    .slice(0, maxWords)
    .map((word) => {
      const tokens = tokensOf(word);
      const last = tokens.at(-1) ?? "";
      return { text: word, tokens, isPrefix: !isUnspaced(last) && !isWhole(word) };
    });
}

/** The tokens of a folded text: its words, and each single character of a script without spaces. */
export function tokensOf(folded: string): string[] {
  return folded.match(token) ?? [];
}

/** A pattern contains this much of a word, because the size of regular expressions is limited. */
export const patternLength = 1_000;

/**
 * The source of a regular expression that finds any of these words in folded text, the first in this order, with a group
 * for each. For a word that is longer than `patternLength` it finds the beginning of the word.
 */
export function patternOf(words: readonly SearchWord[]): string {
  const runs: { before: string; after: string; texts: string[] }[] = [];
  for (const word of words) {
    const { before, text, after } = patternOfOne(word);
    const last = runs.at(-1);
    // Words side by side share their borders, because compiling these takes a millisecond each.
    if (last?.before === before && last.after === after) last.texts.push(text);
    else runs.push({ before, after, texts: [text] });
  }
  return runs
    .map(({ before, texts, after }) => `${before}(?:${texts.map((text) => `(${text})`).join("|")})${after}`)
    .join("|");
}

function patternOfOne({ text, isPrefix }: SearchWord): { before: string; text: string; after: string } {
  const before = isUnspaced(text) ? "" : `(?<!${spaced})`;
  if (text.length > patternLength) {
    return { before, text: text.slice(0, patternLength).replace(/[\ud800-\udbff]$/, ""), after: "" };
  }
  return { before, text, after: isPrefix || endsUnspaced.test(text) ? "" : `(?!${spaced})` };
}

const maxWords = 32;
const unspaced = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => `\\p{scx=${script}}`)
  .join("");
/** A letter or digit of a script with spaces. */
const spaced = `(?:(?![${unspaced}])[\\p{L}\\p{N}])`;
const run = /[\p{L}\p{N}]+/gu;
const token = new RegExp(`${spaced}+|(?=[${unspaced}])[\\p{L}\\p{N}]`, "gu");
const startsUnspaced = new RegExp(`^[${unspaced}]`, "u");
const endsUnspaced = new RegExp(`[${unspaced}]$`, "u");

function isUnspaced(word: string): boolean {
  return startsUnspaced.test(word);
}

/** A word of one or two letters begins too many words, except in Hangul, where a syllable can be a word. */
function isWhole(word: string): boolean {
  return word.length < 3 && !/\p{Script=Hangul}/u.test(word);
}
