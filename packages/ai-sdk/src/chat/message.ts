import type { Json, JsonSchema, Usage } from "@cogency/protocol";
import type { UIMessage, UIMessageChunk, UITools } from "ai";

/**
 * A message as `useChat` has it, for `useChat<ChatMessage>()`. `Tools` are the tools of the agent by name, each with its `input` and
 * `output`: a call of `search` is a part of the type `tool-search`.
 */
export type ChatMessage<Tools extends UITools = UITools> = UIMessage<ChatMetadata, ChatData, Tools>;

/** One event of the stream that `useChat` reads. */
export type ChatChunk = UIMessageChunk<ChatMetadata, ChatData>;

export interface ChatMetadata {
  /** What the answer has used so far, all of its steps together. */
  usage?: Usage;
  /** How the answer ended. Absent while a run is at work, and while it waits for a person. */
  status?: "completed" | "stopped" | "failed" | "cancelled";
  /** Why it stopped before the model gave a complete answer. */
  stop?: { reason: string; message: string };
  /** Why it failed. */
  error?: { code: string; message: string };
  /** Of the words of a user: nobody vouches for them, such as piped input. */
  origin?: string;
}

/** The parts `data-…` of a message. */
export type ChatData = {
  /** Somebody is asked. The part stays, and changes when the question is closed. */
  question: ChatQuestion;
  /** Something keeps the conversation from going on. `open` is false when it has gone on. */
  notice: { code: string; message: string; retryAt?: number; parked?: true; open: boolean };
  /** Words that a person sent into the middle of the answer. */
  steer: { text: string };
  /** Transient: the conversation has this title now. */
  title: { text: string };
  /** Transient: something went wrong that the run survived. */
  error: { code: string; message: string };
};

/** A question that is not whether the call of a tool may run: what a tool asks, and what an agent below asks. */
export interface ChatQuestion {
  /** Stands in `answers` of a request as `question`. */
  id: string;
  /** The call that asks, or whose agent asks. */
  toolCallId: string;
  toolName: string;
  /** `approval` is answered with `approved`, `answer` with `content`. */
  asks: "approval" | "answer";
  /** The names of the agents that lead to the call, from the outermost. */
  agents?: readonly string[];
  input?: unknown;
  message?: string;
  /** JSON Schema of the answer. */
  schema?: JsonSchema;
  concerns: readonly { readonly kind: string; readonly why: string }[];
  touches: readonly string[];
  /** `closed`: nobody answered, and nobody can any more. */
  state: "open" | "approved" | "denied" | "answered" | "closed";
  content?: Json;
  reason?: string;
}

/** What `approval.descriptor` of a tool part holds: what a person should know before the call runs. */
export interface ChatApproval {
  concerns: readonly { readonly kind: string; readonly why: string }[];
  /** What the call touches: resolved paths such as `file:/srv/notes.md`. */
  touches: readonly string[];
}
