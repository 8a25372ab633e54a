import type { ConversationSummary, Store } from "@cogency/storage";
import { excerpt } from "./excerpt.ts";
import { fold } from "./fold.ts";
import { isoTime } from "./iso-time.ts";
import { type Passage, passagesOf, passageTypes } from "./passages.ts";
import { parseQuery, type Query } from "./query.ts";

export interface Recalled {
  conversation: string;
  /** ISO 8601; when it was last continued. */
  when: string;
  title: string;
  /** At most three, of at most 300 characters each. */
  excerpts: { who: Passage["who"]; text: string }[];
}

export interface RecallMatches {
  found: Recalled[];
  /** Present when the user has more conversations than were searched. */
  note?: string;
}

interface SearchOptions {
  user: string | undefined;
  /** The conversation that is going on: left out. */
  current: string;
  limit: number;
  signal: AbortSignal;
}

/**
 * The user's past conversations in which words of the query stand, the best first: by the different words found, each
 * counted by its rarity and half where only a tool's result holds it; among equals the latest first.
 *
 * @throws RecallError `query_empty`
 */
export async function searchConversations(
  store: Pick<Store, "conversations" | "load">,
  text: string,
  { user, current, limit, signal }: SearchOptions,
): Promise<RecallMatches> {
  const query = parseQuery(text);
  const latest = await store.conversations({ user, limit: mostSearched + 2 });
  const past = latest.filter(({ conversation }) => conversation !== current);
  const searched = past.slice(0, mostSearched);
  const hits: Hit[] = [];
  for (const summary of searched) {
    signal.throwIfAborted();
    const events = await store.load({ conversation: summary.conversation, user }, { types: passageTypes });
    const hit = match(summary, events.flatMap(passagesOf), query);
    if (hit) hits.push(hit);
  }
  signal.throwIfAborted();
  const found = ranked(hits, query, searched.length).slice(0, limit).map(recalled);
  const more = past.length > mostSearched;
  return { found, ...(more && { note: `Only the ${mostSearched} latest conversations were searched.` }) };
}

const mostSearched = 200;
const mostExcerpts = 3;

/** A conversation in which something was found, reduced to what it takes to rank and to show it. */
interface Hit {
  summary: ConversationSummary;
  said: ReadonlySet<number>;
  returned: ReadonlySet<number>;
  excerpts: Recalled["excerpts"];
}

function match(summary: ConversationSummary, passages: readonly Passage[], query: Query): Hit | undefined {
  const matches = passages.flatMap(({ who, text }) => {
    const occurrences = query.occurrences(fold(text));
    return occurrences.length > 0
      ? [{ who, text, occurrences, words: new Set(occurrences.map(({ word }) => word)) }]
      : [];
  });
  if (matches.length === 0) return undefined;
  const wordsOf = (isTool: boolean) =>
    new Set(matches.filter(({ who }) => (who === "tool") === isTool).flatMap(({ words }) => [...words]));
  const best = matches.toSorted((one, other) => weightOf(other) - weightOf(one)).slice(0, mostExcerpts);
  return {
    summary,
    said: wordsOf(false),
    returned: wordsOf(true),
    excerpts: best.map(({ who, text, occurrences }) => ({ who, text: excerpt(text, occurrences) })),
  };
}

function weightOf({ who, words }: { who: Passage["who"]; words: ReadonlySet<number> }): number {
  return who === "tool" ? words.size * returnedShare : words.size;
}

const returnedShare = 0.5;

function ranked(hits: readonly Hit[], query: Query, searched: number): Hit[] {
  const rarity = query.words.map((_, word) => {
    const holding = hits.filter(({ said, returned }) => said.has(word) || returned.has(word)).length;
    return Math.log(1 + searched / Math.max(1, holding));
  });
  const scores = new Map(hits.map((hit) => [hit, scoreOf(hit, rarity)]));
  // The store lists the latest first, and sorting keeps the order of equals.
  return hits.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

function scoreOf({ said, returned }: Hit, rarity: readonly number[]): number {
  return rarity.reduce((sum, weight, word) => {
    if (said.has(word)) return sum + weight;
    return returned.has(word) ? sum + weight * returnedShare : sum;
  }, 0);
}

function recalled({ summary: { conversation, updatedAt, title }, excerpts }: Hit): Recalled {
  return { conversation, when: isoTime(updatedAt), title, excerpts };
}
