import { RecallError } from "./errors.ts";
import { fold } from "./fold.ts";

/** A place in folded text where a word of the query stands. */
export interface Occurrence {
  word: number;
  index: number;
}

export interface Query {
  /** The different words, folded. */
  words: readonly string[];
  /** Where they stand in folded text, in order; at most a thousand places. */
  occurrences(folded: string): Occurrence[];
}

/**
 * A word is found where a word begins with it ("deploy" in "deployed"), one of one or two letters only as a whole, and
 * one of a script that is written without spaces anywhere.
 *
 * @throws RecallError `query_empty`
 */
export function parseQuery(text: string): Query {
  const words = [...new Set(fold(text).match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, maxWords);
  if (words.length === 0) {
    throw new RecallError("query_empty", text, "The query holds no word. Give words that were likely said.");
  }
  // Of two words at one place the longer one is meant.
  const byLength = [...words].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(byLength.map((word) => `(${patternOf(word)})`).join("|"), "gu");
  return {
    words,
    occurrences(folded) {
      const found: Occurrence[] = [];
      for (const match of folded.matchAll(pattern)) {
        found.push({ word: words.indexOf(match[0]), index: match.index });
        if (found.length === maxOccurrences) break;
      }
      return found;
    },
  };
}

const maxWords = 32;
const maxOccurrences = 1000;

function patternOf(word: string): string {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(word))
    return word;
  const start = "(?<![\\p{L}\\p{N}])";
  return word.length < 3 && !/\p{Script=Hangul}/u.test(word) ? `${start}${word}(?![\\p{L}\\p{N}])` : `${start}${word}`;
}
