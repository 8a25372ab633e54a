export type { ChatApproval, ChatChunk, ChatData, ChatMessage, ChatMetadata, ChatQuestion } from "./message.ts";
