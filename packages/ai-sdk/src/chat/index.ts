export type { ChatHandler } from "./create-chat-handler.ts";
export { createChatHandler } from "./create-chat-handler.ts";
export type { ChatApproval, ChatChunk, ChatData, ChatMessage, ChatMetadata, ChatQuestion } from "./message.ts";
