import { patternLength, patternOf, type SearchWord } from "./words.ts";

/** An occurrence of a word in folded text. */
export interface Occurrence {
  /** The index of the word in the search. */
  word: number;
  index: number;
}

/**
 * Finds the words of a search in a folded text, in order: the first thousand occurrences, and the first of each word
 * after them.
 */
export function findOccurrences(words: readonly SearchWord[]): (folded: string) => Occurrence[] {
  // Where two words match at one index, the longer one counts.
  const order = words
    .map((word, index) => ({ word, index }))
    .toSorted((one, other) => other.word.text.length - one.word.text.length);
  const pattern = new RegExp(patternOf(order.map(({ word }) => word)), "gu");
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
