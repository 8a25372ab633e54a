import type { Attachment } from "./attachment.ts";
import type { Json } from "./json.ts";
import type { ToolCall } from "./tool.ts";

/** How a request presents a conversation: the text protocol in either dialect, native tool calls, or ReAct. */
export type MessageForm = Dialect | "native" | "react";

/** How the text protocol writes calls (protocol.md §1). */
export type Dialect = "json" | "xml";

/** One message of a model request. It has no provider's shape; each provider translates it. */
export type ModelMessage = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  role: "user";
  /** A text, or what an attachment belongs to and the attachment: parts, in order, at least one. */
  content: string | readonly MessagePart[];
}

/** A part of a message to the model. */
export type MessagePart = { readonly kind: "text"; readonly text: string } | Attachment;

export interface AssistantMessage {
  role: "assistant";
  /** The text that the model wrote; empty only beside `calls`. */
  content: string;
  /**
   * Native tool calls, which the next message answers. Absent in the text forms, where calls are part of `content`. Ids
   * are unique in the request and match `[A-Za-z0-9_-]{1,40}`; names match `[A-Za-z0-9_-]{1,64}`.
   */
  calls?: (ToolCall & { id: string })[];
  /**
   * The provider's own blocks, such as reasoning with signatures. They must be sent to the same provider and model only.
   * Only the calls in `calls` are replayed: a call that stands only in these blocks would have no answer.
   */
  native?: NativeBlocks;
}

export interface NativeBlocks {
  provider: string;
  model: string;
  data: Json;
}

export interface ToolMessage {
  role: "tool";
  /** One result per call of the message before, in call order. */
  results: { id: string; name: string; content: string; failed: boolean; attachments?: readonly Attachment[] }[];
}
