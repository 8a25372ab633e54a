import { isChildName } from "@cogency/agent/child";
import type { ConversationSummary, Store } from "@cogency/storage";

export interface Listing {
  /** Whether those of agents that calls have started are among them. Defaults to false: they are seen where they were started. */
  ofAgents?: boolean;
  /** Whose; those of the anonymous user when absent. */
  user?: string | undefined;
  /** The most of them. Defaults to all. */
  limit?: number;
}

/**
 * Yields a user's conversations, the most recently appended first, in pages of at most 500. The list may change between two pages:
 * one that is appended to then may be missing, and without a limit one may come twice.
 */
export async function* conversationPages(
  store: Pick<Store, "conversations" | "load">,
  { user, limit = Number.POSITIVE_INFINITY, ofAgents = false }: Listing,
): AsyncGenerator<readonly ConversationSummary[]> {
  const seen = new Set<string>();
  let last: readonly ConversationSummary[] = [];
  for (let left = limit; left > 0; ) {
    const size = Math.min(Math.max(left, smallestPage), largestPage);
    const before = await lastThatExists(last, store);
    last = await store.conversations({ user, before, limit: size });
    const listed = last.filter(({ conversation }) => ofAgents || !isChildName(conversation));
    const page = listed.filter(({ conversation }) => !seen.has(conversation)).slice(0, left);
    if (limit < Number.POSITIVE_INFINITY) for (const { conversation } of page) seen.add(conversation);
    left -= page.length;
    if (page.length > 0) yield page;
    if (last.length < size) return;
  }
}

/** The pages as one list. */
export async function listedConversations(
  store: Store,
  listing: Listing & { limit: number },
): Promise<ConversationSummary[]> {
  const listed: ConversationSummary[] = [];
  for await (const page of conversationPages(store, listing)) listed.push(...page);
  return listed;
}

const largestPage = 500;
/** Between two conversations of a person there may be many of agents. */
const smallestPage = 50;

/** Where the next page begins: a list goes on only after a conversation that it contains. */
async function lastThatExists(
  page: readonly ConversationSummary[],
  store: Pick<Store, "load">,
): Promise<string | undefined> {
  for (const { conversation, user } of page.toReversed())
    if ((await store.load({ conversation, user }, { last: 1 })).length > 0) return conversation;
  return undefined;
}
