import { extendSummary, type Match, type Store, searchWords } from "@cogency/storage";
import { RecallError } from "./errors.ts";
import { isoTime } from "./iso-time.ts";

export interface Recalled {
  conversation: string;
  /** ISO 8601; when it was last continued. */
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
  /** The conversation that is going on: left out. */
  current: string;
  limit: number;
  signal: AbortSignal;
}

/**
 * The user's past conversations in which words of the query stand, in the order of the best match in each.
 *
 * @throws RecallError `query_empty`
 */
export async function searchConversations(
  store: Pick<Store, "load" | "search">,
  query: string,
  { user, current, limit, signal }: SearchOptions,
): Promise<RecallMatches> {
  if (searchWords(query).length === 0) {
    throw new RecallError("query_empty", query, "The query holds no word. Give words that were likely said.");
  }
  signal.throwIfAborted();
  const matches = await store.search(query, { user, exclude: current, limit: mostMatches });
  const found: Recalled[] = [];
  for (const [conversation, best] of Map.groupBy(matches, (match) => match.conversation)) {
    if (found.length === limit) break;
    signal.throwIfAborted();
    const key = { conversation, user };
    const [[last], said] = await Promise.all([store.load(key, { last: 1 }), store.load(key, { types: ["user"] })]);
    // Deleted since it was found.
    if (!last) continue;
    const { title } = extendSummary(undefined, said);
    const excerpts = best.slice(0, mostExcerpts).map(({ who, excerpt }) => ({ who, text: excerpt }));
    found.push({ conversation, when: isoTime(last.timestamp), title, excerpts });
  }
  signal.throwIfAborted();
  return { found };
}

/** One long conversation may hold many of them before the next one has any. */
const mostMatches = 500;
const mostExcerpts = 3;
