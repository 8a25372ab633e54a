import type { Match, StoredEvent } from "../store.ts";
import { excerpt } from "./excerpt.ts";
import { fold } from "./fold.ts";
import { findOccurrences, type Occurrence } from "./occurrences.ts";
import { type Passage, passagesOf } from "./passages.ts";
import { searchedLength } from "./search-tokens.ts";
import type { SearchWord } from "./words.ts";

/** An event that may hold words of a search. */
export interface MatchCandidate {
  conversation: string;
  event: StoredEvent;
}

/**
 * The candidates in which words stand, as `Store.search` orders them, at most `limit`. `candidates` come the latest
 * first, and from one user. A word weighs the more the fewer candidates hold it, and half where a tool returned it.
 */
export function rankMatches(
  words: readonly SearchWord[],
  candidates: readonly MatchCandidate[],
  limit: number,
): Match[] {
  if (words.length === 0) return [];
  const find = findOccurrences(words);
  const hits = candidates.flatMap(({ conversation, event }): Hit[] => {
    const places = passagesOf(event).flatMap((passage): Place[] => {
      const text = passage.text.slice(0, searchedLength);
      const occurrences = find(fold(text));
      const held = new Set(occurrences.map(({ word }) => word));
      return held.size === 0 ? [] : [{ ...passage, text, occurrences, words: held }];
    });
    return places.length === 0 ? [] : [{ conversation, event, places }];
  });
  const rarity = words.map((_, word) => {
    const holding = hits.filter(({ places }) => places.some((place) => place.words.has(word))).length;
    return Math.log(1 + hits.length / Math.max(1, holding));
  });
  // Sorting keeps the order of equals: the latest first.
  const ranked = hits.map((hit) => best(hit, rarity)).toSorted((one, other) => other.score - one.score);
  return ranked.slice(0, limit).map(matchOf);
}

interface Place extends Passage {
  occurrences: Occurrence[];
  /** The different words that stand in it. */
  words: ReadonlySet<number>;
}

interface Hit extends MatchCandidate {
  places: Place[];
}

interface Ranked extends MatchCandidate {
  place: Place;
  score: number;
}

const returnedShare = 0.5;

/** An event counts by the best of its passages. */
function best({ conversation, event, places }: Hit, rarity: readonly number[]): Ranked {
  const [first, ...others] = places.map((place) => ({ conversation, event, place, score: scoreOf(place, rarity) }));
  return others.reduce((one, other) => (other.score > one.score ? other : one), first as Ranked);
}

function scoreOf({ who, words }: Place, rarity: readonly number[]): number {
  const score = Array.from(words).reduce((sum, word) => sum + (rarity[word] ?? 0), 0);
  return who === "tool" ? score * returnedShare : score;
}

function matchOf({ conversation, event: { seq, timestamp }, place, score }: Ranked): Match {
  const { who, tool, text, occurrences } = place;
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
