import type { Store } from "@cogency/storage";
import { type Passage, passagesOf, passageTypes } from "@cogency/storage/adapter";
import { RecallError } from "./errors.ts";
import { isInScope } from "./is-in-scope.ts";
import { beginning, isoTime, oneLine } from "./texts.ts";

export interface ConversationDigest {
  conversation: string;
  /** The time of the first passage of this page, ISO 8601. */
  when?: string;
  passages: { event: number; who: Passage["who"]; tool?: string; text: string }[];
  /** The event number of the next page; absent on the last page. */
  next?: number;
}

interface DigestOptions {
  user: string | undefined;
  current: string;
  /** The conversation must belong to this scope; defaults to any scope. */
  scope: string | undefined;
  /** The number of the first event, counted from 1. */
  from: number;
  signal: AbortSignal;
}

/**
 * Returns one page of a past conversation of the user: texts of the person and the assistant with at most 800 code points,
 * results of tools with at most 200.
 *
 * @throws RecallError `conversation_not_found`, with the same message whether the conversation does not exist or is of another
 * user or scope
 */
export async function digestConversation(
  store: Pick<Store, "load">,
  conversation: string,
  { user, current, scope, from, signal }: DigestOptions,
): Promise<ConversationDigest> {
  if (conversation === current) throw notFound(conversation, "It is the one going on: all of it is before you.");
  signal.throwIfAborted();
  const key = { conversation, user };
  const events = (await isInScope(store, key, scope))
    ? await store.load(key, { after: from - 1, types: passageTypes })
    : [];
  signal.throwIfAborted();
  if (events.length === 0) {
    const where =
      from > 1
        ? `Nothing was said in it from event ${from} on, or there is no such conversation.`
        : "Search with a query.";
    throw notFound(conversation, where);
  }
  const passages: ConversationDigest["passages"] = [];
  let size = 0;
  for (const event of events) {
    const shown = passagesOf(event).map(({ who, tool, text }) => ({
      event: event.seq,
      who,
      ...(tool !== undefined && { tool }),
      text: beginning(oneLine(text.slice(0, 8 * longest)).trim(), who === "tool" ? longestResult : longest),
    }));
    size += shown.reduce((sum, { text }) => sum + text.length, 0);
    if (size > pageSize && passages.length > 0) return page(event.seq);
    passages.push(...shown);
  }
  return page();

  function page(next?: number): ConversationDigest {
    const when = isoTime(events[0]?.timestamp ?? Number.NaN);
    return { conversation, when, passages, ...(next !== undefined && { next }) };
  }
}

const longest = 800;
const longestResult = 200;
/** In UTF-16 units. */
const pageSize = 12_000;

function notFound(conversation: string, advice: string): RecallError {
  return new RecallError(
    "conversation_not_found",
    conversation,
    `There is no past conversation ${JSON.stringify(beginning(conversation, 80))} to recall. ${advice}`,
  );
}
