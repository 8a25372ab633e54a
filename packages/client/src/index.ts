export type {
  CallPart,
  NoticePart,
  Part,
  Parts,
  QuestionPart,
  TextPart,
  ThinkingPart,
  UserPart,
} from "@cogency/protocol/parts";
export { partialArgs } from "@cogency/protocol/parts";
export type { CallPartOf, Incomplete, PartOf, PartsOf } from "./call-parts.ts";
export { argsOf } from "./call-parts.ts";
export type { Client } from "./client.ts";
export { createClient } from "./client.ts";
export type { ClientErrorCode } from "./client-error.ts";
export { ClientError } from "./client-error.ts";
export type { ClientOptions } from "./client-options.ts";
export type {
  Conversation,
  ConversationSnapshot,
  ConversationStatus,
  Message,
  MessageOptions,
  QuestionFacts,
  WaitingMessage,
} from "./conversation.ts";
export type { ConversationEntry, Conversations, ConversationsSnapshot } from "./conversations.ts";
export type { ConnectionState } from "./stream/connection.ts";
