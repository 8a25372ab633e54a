import type { Match, Store } from "@cogency/storage";
import { extendSummary, searchWords } from "@cogency/storage/adapter";
import { RecallError } from "./errors.ts";
import { isInScope } from "./is-in-scope.ts";
import { isoTime } from "./texts.ts";

export interface Recalled {
  conversation: string;
  /** When it was last continued, ISO 8601. */
  when: string;
  title: string;
  /** At most three, the best first, of at most 300 characters each. */
  excerpts: { who: Match["who"]; text: string }[];
}

export interface RecallMatches {
  found: Recalled[];
}

interface SearchOptions {
  user: string | undefined;
  /** The current conversation, which is left out. */
  current: string;
  /** Only conversations of this scope. */
  scope: string | undefined;
  limit: number;
  signal: AbortSignal;
}

/**
 * Returns the user's past conversations that hold words of the query, in the order of the best match in each.
 *
 * @throws RecallError `query_empty`
 */
export async function searchConversations(
  store: Pick<Store, "load" | "search">,
  query: string,
  { user, current, scope, limit, signal }: SearchOptions,
): Promise<RecallMatches> {
  if (searchWords(query).length === 0) {
    throw new RecallError("query_empty", query, "The query holds no word. Give words that were likely said.");
  }
  const found: Recalled[] = [];
  const scopes = new Map<string, boolean>();
  const isWanted = async (conversation: string) => {
    const known = scopes.get(conversation) ?? (await isInScope(store, { conversation, user }, scope));
    scopes.set(conversation, known);
    return known;
  };
  const matches = await matchesOf(store, query, { user, current, limit, signal }, isWanted);
  for (const [conversation, best] of Map.groupBy(matches, (match) => match.conversation)) {
    if (found.length === limit) break;
    signal.throwIfAborted();
    if (!(await isWanted(conversation))) continue;
    const key = { conversation, user };
    const [[last], said] = await Promise.all([store.load(key, { last: 1 }), store.load(key, { types: ["user"] })]);
    // The conversation was deleted after the search.
    if (!last) continue;
    const { title } = extendSummary(undefined, said);
    const excerpts = best.slice(0, mostExcerpts).map(({ who, excerpt }) => ({ who, text: excerpt }));
    found.push({ conversation, when: isoTime(last.timestamp), title, excerpts });
  }
  signal.throwIfAborted();
  return { found };
}

/** Loads matches until there are enough conversations, because matches of other scopes may come first. */
async function matchesOf(
  store: Pick<Store, "search">,
  query: string,
  { user, current, limit, signal }: Omit<SearchOptions, "scope">,
  isWanted: (conversation: string) => Promise<boolean>,
): Promise<Match[]> {
  for (let most = mostMatches; ; most *= 10) {
    signal.throwIfAborted();
    const matches = await store.search(query, { user, exclude: current, limit: most });
    if (matches.length < most || most >= mostMatchesOfAll) return matches;
    let wanted = 0;
    const conversations = new Set(matches.map(({ conversation }) => conversation));
    for (const conversation of conversations) {
      signal.throwIfAborted();
      if (await isWanted(conversation)) wanted += 1;
      if (wanted === limit) return matches;
    }
    // Without a scope, more matches only add to conversations that are already found.
    if (wanted === conversations.size) return matches;
  }
}

/** One long conversation may hold many matches before the first of the next one. */
const mostMatches = 500;
const mostMatchesOfAll = 50_000;
const mostExcerpts = 3;
