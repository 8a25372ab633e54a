import type { Json } from "./json.ts";
import type { ToolCall } from "./tool.ts";

/** How a conversation is told to a model: the text protocol in either dialect, native tool calls, or ReAct. */
export type MessageForm = Dialect | "native" | "react";

/** How the text protocol writes calls (protocol.md §1). */
export type Dialect = "json" | "xml";

/** One message of a model request, in no provider's shape. Adapters translate it. */
export type ModelMessage = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  role: "user";
  content: string;
}

export interface AssistantMessage {
  role: "assistant";
  /** What the model said; empty only beside `calls`. */
  content: string;
  /**
   * Native tool calls, answered by the message that follows; absent in the text forms, where calls are part of
   * `content`. Ids are unique in the request, `[A-Za-z0-9_-]{1,40}`; names match `[A-Za-z0-9_-]{1,64}`.
   */
  calls?: (ToolCall & { id: string })[];
  /**
   * A provider's own blocks (reasoning with signatures), for the same provider and model only. Which calls are replayed
   * is said by `calls`: one that stands only here would have no answer.
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
  results: { id: string; name: string; content: string; failed: boolean }[];
}
