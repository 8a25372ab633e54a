import type { Store } from "@cogency/storage";
import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { digestConversation } from "./digest-conversation.ts";
import { searchConversations } from "./search-conversations.ts";

export interface RecallOptions {
  /** Where the conversations are. */
  store: Pick<Store, "load" | "search">;
}

/** `recall`: finds passages of the user's own past conversations, or shows one of these conversations page by page. */
export function recallTool({ store }: RecallOptions): Tool {
  return defineTool({
    name: "recall",
    description:
      "Look into past conversations with this user: find passages by words, or read one conversation. Give query or conversation.",
    input,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    execute({ query, limit, conversation, from }, { user, conversation: current, signal }) {
      if (conversation !== undefined) return digestConversation(store, conversation, { user, current, from, signal });
      return searchConversations(store, query ?? "", { user, current, limit, signal });
    },
  });
}

const input = z
  .object({
    query: z.string().max(1000).optional().describe("words that were likely said, in any order"),
    limit: z.int().min(1).max(20).default(5).describe("how many conversations to find"),
    conversation: z.string().optional().describe("id of a conversation to read, as found by a query"),
    from: z.int().min(1).default(1).describe("number of the event to read a conversation from; see next"),
  })
  .refine(({ query, conversation }) => (query === undefined) !== (conversation === undefined), {
    message: "give either query or conversation",
  });
