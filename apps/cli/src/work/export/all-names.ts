import type { Store } from "@cogency/storage";
import { conversationPages } from "../../place/store/conversation-pages.ts";

/**
 * Returns the names of the user's conversations, the oldest first, so that an import keeps their order. None is missed that was there
 * when this began, also if others append to it or delete another one meanwhile.
 */
export async function allNames(store: Store, user: string | undefined): Promise<string[]> {
  /** How many events each had when it was read, the latest first. */
  const names = new Map<string, number>();
  let order: string[] = [];
  for (let isFirst = true; ; isFirst = false) {
    const found: string[] = [];
    for await (const page of conversationPages(store, { user, ofAgents: true })) {
      // What was appended to since it was read stands above all that was not, and so does what comes new.
      const isRead = page.some(({ conversation, events }) => names.get(conversation) === events);
      for (const { conversation, events } of page) {
        if (!names.has(conversation)) found.push(conversation);
        names.set(conversation, events);
      }
      if (!isFirst && isRead) break;
    }
    order = [...found, ...order];
    if (!isFirst && found.length === 0) return order.reverse();
  }
}
