import type { ConversationSummary, Key, Store } from "@cogency/storage";

/**
 * The summary of one conversation, from the list of its user: those in use stand in front. Undefined if the list does not have it.
 */
export async function findSummary(
  store: Pick<Store, "conversations">,
  { conversation, user }: Key,
): Promise<ConversationSummary | undefined> {
  let before: string | undefined;
  for (let limit = 50; ; limit = 1000) {
    const page = await store.conversations({ user, limit, before });
    const found = page.find((summary) => summary.conversation === conversation);
    if (found || page.length < limit) return found;
    before = page.at(-1)?.conversation;
  }
}
