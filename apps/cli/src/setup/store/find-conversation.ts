import type { Store } from "@cogency/storage";
import { UsageError } from "../../errors/usage-error.ts";
import { oneLine } from "../../terminal/text.ts";
import { unknownConversation } from "./unknown-conversation.ts";

/**
 * Finds a conversation by its id, the beginning of its id, or a part of its title in any letter case.
 *
 * @param user whose; that of the anonymous user if absent
 * @throws UsageError if there is none, or if several are meant; it names them
 */
export async function findConversation(wanted: string, store: Store, place: string, user?: string): Promise<string> {
  if ((await store.load({ conversation: wanted, user }, { last: 1 })).length > 0) return wanted;
  const latest = await store.conversations({ user, limit: mostSearched });
  const begun = latest.filter(({ conversation }) => conversation.startsWith(wanted));
  const words = wanted.toLowerCase();
  const meant = begun.length > 0 ? begun : latest.filter(({ title }) => title.toLowerCase().includes(words));
  const [only] = meant;
  if (!only) throw await unknownConversation({ conversation: wanted, user }, store, place);
  if (meant.length === 1) return only.conversation;
  const lines = meant
    .slice(0, 5)
    .map(({ conversation, title }) => `  ${oneLine(conversation, 60)}  ${oneLine(title, 80)}`);
  const more = meant.length > 5 ? [`  … and ${meant.length - 5} more`] : [];
  throw new UsageError([`"${oneLine(wanted, 60)}" may be one of several conversations:`, ...lines, ...more].join("\n"));
}

/** The conversation with the latest event among those that were begun in a folder; undefined if there is none. */
export async function latestIn(scope: string, store: Store): Promise<string | undefined> {
  for (let before: string | undefined; ; ) {
    const page = await store.conversations({ before });
    for (const { conversation } of page) if ((await scopeIn(conversation, store)) === scope) return conversation;
    before = page.at(-1)?.conversation;
    if (before === undefined) return undefined;
  }
}

/** The folder that a conversation was begun in; undefined if its log does not say. */
export async function scopeIn(conversation: string, store: Store): Promise<string | undefined> {
  const [first] = await store.load({ conversation }, { types: ["record"], limit: 1 });
  const scope: unknown = first?.type === "record" && first.kind === "origin" ? first.data?.scope : undefined;
  return typeof scope === "string" ? scope : undefined;
}

export async function hasConversation(conversation: string, store: Store): Promise<boolean> {
  return (await store.load({ conversation }, { last: 1 })).length > 0;
}

/** The latest ones. */
const mostSearched = 10_000;
