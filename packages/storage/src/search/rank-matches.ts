import type { Match, StoredEvent } from "../store.ts";
import { excerpt } from "./excerpt.ts";
import { fold } from "./fold.ts";
import { findOccurrences, type Occurrence } from "./occurrences.ts";
import { type Passage, passagesOf } from "./passages.ts";
import { searchedLength } from "./search-tokens.ts";
import type { SearchWord } from "./words.ts";

/** An event that may contain words of a search. */
export interface MatchCandidate {
  conversation: string;
  event: StoredEvent;
}

/**
 * Returns the candidates that contain words of the search, ordered as `Store.search` describes, at most `limit`.
 * A word weighs more if fewer candidates contain it, and half as much in the result of a tool.
 *
 * @param candidates events of one user, the latest first
 */
export function rankMatches(
  words: readonly SearchWord[],
  candidates: readonly MatchCandidate[],
  limit: number,
): Match[] {
  if (words.length === 0) return [];
  const find = findOccurrences(words);
  const hits = candidates.flatMap(({ conversation, event }): Hit[] => {
    const passages = passagesOf(event).flatMap((passage): PassageHit[] => {
      const text = passage.text.slice(0, searchedLength);
      const occurrences = find(fold(text));
      const wordsInText = new Set(occurrences.map(({ word }) => word));
      return wordsInText.size === 0 ? [] : [{ ...passage, text, occurrences, words: wordsInText }];
    });
    return passages.length === 0 ? [] : [{ conversation, event, passages }];
  });
  const rarity = words.map((_, word) => {
    const holding = hits.filter(({ passages }) => passages.some((passage) => passage.words.has(word))).length;
    return Math.log(1 + hits.length / Math.max(1, holding));
  });
  // Sorting is stable: of equal scores the latest stays first.
  const ranked = hits.map((hit) => best(hit, rarity)).toSorted((one, other) => other.score - one.score);
  return ranked.slice(0, limit).map(matchOf);
}

interface PassageHit extends Passage {
  occurrences: Occurrence[];
  /** The indexes of the different words in it. */
  words: ReadonlySet<number>;
}

interface Hit extends MatchCandidate {
  passages: PassageHit[];
}

interface Ranked extends MatchCandidate {
  passage: PassageHit;
  score: number;
}

const returnedShare = 0.5;

/** The score of an event is that of its best passage. */
function best({ conversation, event, passages }: Hit, rarity: readonly number[]): Ranked {
  const [first, ...others] = passages.map((passage) => ({
    conversation,
    event,
    passage,
    score: scoreOf(passage, rarity),
  }));
  return others.reduce((one, other) => (other.score > one.score ? other : one), first as Ranked);
}

function scoreOf({ who, words }: PassageHit, rarity: readonly number[]): number {
  const score = Array.from(words).reduce((sum, word) => sum + (rarity[word] ?? 0), 0);
  return who === "tool" ? score * returnedShare : score;
}

function matchOf({ conversation, event: { seq, timestamp }, passage, score }: Ranked): Match {
  const { who, tool, text, occurrences } = passage;
  return {
    conversation,
    seq,
    timestamp,
    who,
    ...(tool !== undefined && { tool }),
    excerpt: excerpt(text, occurrences),
    score,
  };
}
