import type { RespondEvent, ThinkEvent } from "../events.ts";
import type { AssistantMessage, NativeBlocks, ToolMessage, UserMessage } from "../message.ts";
import type { ToolCall, ToolResult } from "../tool.ts";

/** How a conversation is told to the model in one form. Every form tells every log, whichever driver wrote it. */
export interface FormWriter {
  /** The assistant's message; its content is empty if there is nothing to tell. */
  said(turn: Turn): AssistantMessage;
  /** The words of somebody else, written so that they cannot pose as words of the system; as they are if absent. */
  heard?(content: string): string;
  /**
   * The outcomes of the calls that `to` asks for, one a call. Without `to` they tell of no call but of a block that was
   * refused.
   */
  answers(results: readonly ToolResult[], to?: AssistantMessage): (UserMessage | ToolMessage)[];
}

/** What the model said and asked for between two messages of somebody else. */
export interface Turn {
  units: (ThinkEvent | RespondEvent)[];
  calls: StoredCall[];
  native?: NativeBlocks | undefined;
}

/** A call with the JSON text in which it is stored. */
export type StoredCall = ToolCall & { content: string };
