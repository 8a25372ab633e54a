import { fold } from "./fold.ts";

/** A word of a search as a full-text index has it. */
export interface SearchWord {
  /** Folded. */
  text: string;
  /** What `searchTokens` makes of it: one, or several that stand side by side. */
  tokens: readonly string[];
  /** Whether a token that only begins with the last of `tokens` counts too. */
  isPrefix: boolean;
}

/**
 * The different words of a search, at most 32; empty for a text without a letter or a digit. An adapter looks for events
 * that hold any of them and hands these to `rankMatches`.
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

/** The tokens of a folded text: its words, and each character of a script that is written without spaces. */
export function tokensOf(folded: string): string[] {
  return folded.match(token) ?? [];
}

/** A pattern holds so much of a word: there is a limit to the size of patterns. */
export const patternLength = 1_000;

/**
 * Source of a pattern of the places in folded text where the word stands: where its tokens do. Of a word that is longer
 * than `patternLength`, where its beginning does.
 */
export function patternOf({ text, isPrefix }: SearchWord): string {
  const before = isUnspaced(text) ? "" : `(?<!${spaced})`;
  if (text.length > patternLength) return before + text.slice(0, patternLength).replace(/[\ud800-\udbff]$/, "");
  const after = isPrefix || endsUnspaced.test(text) ? "" : `(?!${spaced})`;
  return `${before}${text}${after}`;
}

const maxWords = 32;
const unspaced = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => `\\p{scx=${script}}`)
  .join("");
/** A letter or digit of the other scripts. */
const spaced = `(?:(?![${unspaced}])[\\p{L}\\p{N}])`;
const run = /[\p{L}\p{N}]+/gu;
const token = new RegExp(`${spaced}+|(?=[${unspaced}])[\\p{L}\\p{N}]`, "gu");
const startsUnspaced = new RegExp(`^[${unspaced}]`, "u");
const endsUnspaced = new RegExp(`[${unspaced}]$`, "u");

function isUnspaced(word: string): boolean {
  return startsUnspaced.test(word);
}

/** One or two letters begin too many words. A syllable of Hangul is a word's worth. */
function isWhole(word: string): boolean {
  return word.length < 3 && !/\p{Script=Hangul}/u.test(word);
}
