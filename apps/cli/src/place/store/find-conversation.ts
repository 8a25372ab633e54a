import { isChildName } from "@cogency/agent/child";
import type { ConversationSummary, Store } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { scopeOf } from "../../base/scope-of.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { conversationPages } from "./conversation-pages.ts";
import { unknownConversation } from "./unknown-conversation.ts";

/**
 * Finds a conversation by its id, the beginning of its id, or a part of its title in any letter case.
 *
 * @param user whose; that of the anonymous user if absent
 * @throws UsageError if there is none, or if several are meant; it names them
 */
export async function findConversation(wanted: string, store: Store, place: string, user?: string): Promise<string> {
  if ((await store.load({ conversation: wanted, user }, { last: 1 })).length > 0) return wanted;
  const [begun, titled] = [new Meant(), new Meant()];
  const words = wanted.toLowerCase();
  for await (const page of conversationPages(store, { user, ofAgents: true })) {
    for (const summary of page) {
      if (summary.conversation.startsWith(wanted)) begun.add(summary);
      else if (!isChildName(summary.conversation) && summary.title.toLowerCase().includes(words)) titled.add(summary);
    }
  }
  const { latest, more: others } = begun.latest.size > 0 ? begun : titled;
  const [only] = latest.keys();
  if (only === undefined) throw await unknownConversation({ conversation: wanted, user }, store, place);
  if (latest.size === 1) return only;
  const lines = Array.from(latest, ([conversation, title]) => `  ${oneLine(conversation, 60)}  ${oneLine(title, 80)}`);
  const more = others > 0 ? [`  … and ${others} more`] : [];
  throw new UsageError([`"${oneLine(wanted, 60)}" may be one of several conversations:`, ...lines, ...more].join("\n"));
}

/** The conversation with the latest event among those that were begun in a folder; undefined if there is none. */
export async function latestIn(scope: string, store: Store): Promise<string | undefined> {
  for await (const page of conversationPages(store, {}))
    for (const { conversation } of page) if ((await scopeIn(conversation, store)) === scope) return conversation;
  return undefined;
}

/**
 * The conversation that a person names, as `findConversation` reads it; without a name the latest one of this folder.
 *
 * @param command for the message of the error
 * @throws UsageError if there is none
 */
export async function conversationOf(
  wanted: string | undefined,
  store: Store,
  place: string,
  command: string,
): Promise<string> {
  if (wanted !== undefined) return findConversation(wanted, store, place);
  const latest = await latestIn(scopeOf("."), store);
  if (latest !== undefined) return latest;
  throw new UsageError(`No conversation was begun in this folder yet. Name one: cogency ${command} <conversation>.`);
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

/** The conversations that a text may mean: the titles of the latest five by their names, and how many more there are. */
class Meant {
  readonly latest = new Map<string, string>();
  more = 0;

  add({ conversation, title }: ConversationSummary): void {
    if (this.latest.size < 5) this.latest.set(conversation, title);
    else if (!this.latest.has(conversation)) this.more++;
  }
}
