import type { Store } from "@cogency/storage";
import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { lazyInput } from "../lazy-input.ts";
import { checkOptionsOf } from "../options.ts";
import parameters from "../parameters.json" with { type: "json" };
import { digestConversation } from "./digest-conversation.ts";
import { searchConversations } from "./search-conversations.ts";
import { beginning, oneLine } from "./texts.ts";

export interface RecallOptions {
  /** Where the conversations are. */
  store: Pick<Store, "load" | "search">;
  /**
   * Only conversations that begin with an `origin` record of this scope, such as the folder of a project; a conversation
   * without that record is in no scope. All conversations of the user when absent.
   */
  scope?: string | undefined;
}

/** `recall`: finds passages of the user's own past conversations, or shows one of these conversations page by page. */
export function recallTool(options: RecallOptions): Tool<"recall"> {
  checkOptionsOf("recallTool", options);
  const { store, scope } = options;
  return defineTool({
    name: "recall",
    description:
      "Look into past conversations with this user: find passages by words, or read one conversation. Give query or conversation.",
    input: recallInput,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    // Other conversations are private, and the results of tools in them may come from anywhere.
    brings: ({ query, conversation }) => {
      const source = `recall ${beginning(oneLine(conversation ?? query ?? ""), longestSource)}`;
      return [
        { holds: "private", source },
        { holds: "untrusted", source },
      ];
    },
    execute({ query, limit, conversation, from }, { user, conversation: current, signal }) {
      const asked = { user, current, scope, signal };
      if (conversation !== undefined) return digestConversation(store, conversation, { ...asked, from });
      return searchConversations(store, query ?? "", { ...asked, limit });
    },
  });
}

const longestSource = 80;

export const recallInput = lazyInput(parameters.recall, () =>
  z
    .object({
      query: z.string().min(1).max(1000).optional().describe("words that were likely said, in any order"),
      limit: z.int().min(1).max(20).default(5).describe("how many conversations to find"),
      conversation: z.string().min(1).optional().describe("id of a conversation to read, as found by a query"),
      from: z.int().min(1).default(1).describe("number of the event to read a conversation from; see next"),
    })
    .refine(({ query, conversation }) => (query === undefined) !== (conversation === undefined), {
      message: "give either query or conversation",
    })
    .meta({ oneOf: [{ required: ["query"] }, { required: ["conversation"] }] }),
);
