import type { Attachment } from "../attachment.ts";
import type { RespondEvent, ThinkEvent } from "../events.ts";
import type { AssistantMessage, NativeBlocks, ToolMessage, UserMessage } from "../message.ts";
import type { ToolCall, ToolResult } from "../tool.ts";

/** Writes the messages of one form. Every form takes every log, whichever driver wrote it. */
export interface FormWriter {
  /**
   * Writes the assistant's message. Its content is empty if the form leaves out everything in the turn. Called at any time
   * and any number of times for one turn, so it changes nothing.
   */
  assistantMessage(turn: Turn): AssistantMessage;
  /** Makes the id of the next call of the log. Absent if the form writes no ids. */
  requestId?(id: string | undefined): string;
  /**
   * Rewrites the words of a user so that they cannot pose as words of the system. Absent if the form needs no
   * rewriting.
   */
  userContent?(content: string): string;
  /** Whether the message of a turn leaves out its thinking. Absent if the form always shows it. */
  hidesThinking?(turn: Turn): boolean;
  /** Whether its messages hold the native blocks of their turns. */
  readonly showsNative?: true;
  /**
   * Writes the results of the calls in `asked`, in call order. Without `asked`, the one result belongs to no call: it says
   * why a block was refused.
   */
  resultMessages(results: readonly ToolResult[], asked?: AssistantMessage): (UserMessage | ToolMessage)[];
}

/** What the model wrote between two messages to it: the units and calls of one assistant message. */
export interface Turn {
  units: (ThinkEvent | RespondEvent)[];
  calls: StoredCall[];
  native?: NativeBlocks | undefined;
  /** For a trace: where the events of the units and of the native blocks stand in the log, counted from 0. */
  from?: { readonly units: number[]; native?: number } | undefined;
}

/**
 * A call with the JSON text in which the log holds it, and its id in requests: empty if the form writes no ids. `from` says for a trace
 * which events of the log, counted from 0, say what it is.
 */
export type StoredCall = ToolCall & { content: string; requestId: string; from?: readonly number[] };

/** A message to the model: the text alone, or the text, unless it is empty, and the attachments after it. */
export function userMessage(text: string, attachments?: readonly Attachment[]): UserMessage {
  const parts = text === "" ? [] : [{ kind: "text" as const, text }];
  return { role: "user", content: attachments?.length ? [...parts, ...attachments] : text };
}
