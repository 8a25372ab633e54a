import { isChildName } from "@cogency/agent/child";
import type { ConversationSummary, Store } from "@cogency/storage";

/** The newest conversations of a person, without those of agents that calls have started. */
export async function newestConversations(
  store: Pick<Store, "conversations">,
  { user, limit, before }: { user: string | undefined; limit: number; before?: string | undefined },
): Promise<ConversationSummary[]> {
  const found: ConversationSummary[] = [];
  for (let after = before; found.length < limit; ) {
    const page = await store.conversations({ user, limit, before: after });
    found.push(...page.filter(({ conversation }) => !isChildName(conversation)));
    after = page.at(-1)?.conversation;
    if (page.length < limit) break;
  }
  return found.slice(0, limit);
}
