export type { ConversationView } from "./use-conversation.ts";
export { useConversation } from "./use-conversation.ts";
export type { ConversationsView } from "./use-conversations.ts";
export { useConversations } from "./use-conversations.ts";
