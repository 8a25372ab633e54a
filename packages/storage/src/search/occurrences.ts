import { patternLength, patternOf, type SearchWord } from "./words.ts";

/** A place in folded text where a word stands. */
export interface Occurrence {
  /** Its place among the words. */
  word: number;
  index: number;
}

/** Finds where words stand in a folded text, in order: a thousand places, and of words that stand only later their first. */
export function findOccurrences(words: readonly SearchWord[]): (folded: string) => Occurrence[] {
  // Of two words at one place the longer one is meant.
  const order = words
    .map((word, index) => ({ word, index }))
    .toSorted((one, other) => other.word.text.length - one.word.text.length);
  const pattern = new RegExp(order.map(({ word }) => `(${patternOf(word)})`).join("|"), "gu");
  return (folded) => {
    const found: Occurrence[] = [];
    const seen = new Set<number>();
    for (const match of folded.matchAll(pattern)) {
      const group = match.slice(1).findIndex((text) => text !== undefined);
      const { word, index } = order[group] ?? { word: undefined, index: 0 };
      if (word && word.text.length > patternLength && !folded.startsWith(word.text, match.index)) continue;
      if (found.length < maxOccurrences || !seen.has(index)) found.push({ word: index, index: match.index });
      seen.add(index);
      if (found.length >= maxOccurrences && seen.size === words.length) break;
    }
    return found;
  };
}

const maxOccurrences = 1_000;
