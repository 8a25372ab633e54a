import type { Json } from "./json.ts";
import type { ToolCall } from "./tool.ts";

/** One message of a model request, in no provider's shape. Adapters translate it. */
export type ModelMessage = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  role: "user";
  content: string;
}

export interface AssistantMessage {
  role: "assistant";
  content: string;
  /** Native tool calls; absent in the text protocol, where calls are part of `content`. */
  calls?: (ToolCall & { id: string })[];
  /** A provider's own blocks (reasoning with signatures), for the same provider and model only. */
  native?: { provider: string; model: string; data: Json };
}

export interface ToolMessage {
  role: "tool";
  results: { id: string; name: string; content: string; failed: boolean }[];
}
