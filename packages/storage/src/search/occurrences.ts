import { patternOf, type SearchWord } from "./words.ts";

/** A place in folded text where a word stands. */
export interface Occurrence {
  /** Its place among the words. */
  word: number;
  index: number;
}

/** Finds where words stand in a folded text, in order: at most a thousand places. */
export function findOccurrences(words: readonly SearchWord[]): (folded: string) => Occurrence[] {
  // Of two words at one place the longer one is meant.
  const order = words
    .map((word, index) => ({ word, index }))
    .toSorted((one, other) => other.word.text.length - one.word.text.length);
  const pattern = new RegExp(order.map(({ word }) => `(${patternOf(word)})`).join("|"), "gu");
  return (folded) => {
    const found: Occurrence[] = [];
    for (const match of folded.matchAll(pattern)) {
      const group = match.slice(1).findIndex((text) => text !== undefined);
      found.push({ word: order[group]?.index ?? 0, index: match.index });
      if (found.length === maxOccurrences) break;
    }
    return found;
  };
}

const maxOccurrences = 1_000;
