import type { ActivityEvent } from "../activity.ts";
import type { Attachment } from "../attachment.ts";
import type { AgentEvent, LogEvent, NoticeSource, UserEvent } from "../events.ts";
import type { Json, JsonObject, JsonSchema } from "../json.ts";
import type { ToolResult } from "../tool.ts";

/**
 * What parts are made of: events of a run, alone or with the activity around them (`RunEvent`), or the entries of its log
 * (`StoredEvent`). Other fields of the objects are ignored, and so are types and record kinds that are not known.
 */
export type PartEvent = AgentEvent | ActivityEvent | LogEvent;

/** What a screen shows of a conversation, in order. Neither the list nor a part of it is ever changed. */
export type Parts = readonly Part[];

/**
 * One thing that a screen shows. A part with `open` may still change; one without it is settled.
 *
 * INVARIANT: a settled part is the same from the events of a run and from its log, except for what docs/parts.md lists.
 */
export type Part = UserPart | TextPart | ThinkingPart | CallPart | QuestionPart | ErrorPart | NoticePart | EndPart;

/** Words to the model. */
export interface UserPart {
  readonly type: "user";
  readonly content: string;
  /** Absent for the person; otherwise who speaks, as in {@link UserEvent}. */
  readonly origin?: NonNullable<UserEvent["origin"]>;
  /** Who says a notice that comes from outside of the program. */
  readonly sources?: readonly NoticeSource[];
  readonly attachments?: readonly Attachment[];
}

/** A unit of the reply. */
export interface TextPart {
  readonly type: "text";
  /** The text so far. */
  readonly content: string;
  readonly open?: true;
  /** The number that the pieces of the open unit share. */
  readonly unit?: number;
}

/** A unit of reasoning. */
export interface ThinkingPart {
  readonly type: "thinking";
  /** The text so far. */
  readonly content: string;
  readonly open?: true;
  /** The number that the pieces of the open unit share. */
  readonly unit?: number;
}

/** A call, from the first piece of its arguments to its result. It is settled by the `result` event of its batch. */
export interface CallPart {
  readonly type: "call";
  /** Absent until the runtime has made one. */
  readonly id?: string;
  /** Empty until it is known; `unreadable` where the call cannot be read. */
  readonly name: string;
  /** The text of the arguments so far, as the model writes it. Present in the state `writing` only. */
  readonly text?: string;
  /** The arguments; those that ran, where a hook changed them. Absent while they are written, and where they cannot be read. */
  readonly args?: JsonObject;
  /**
   * - `writing`: the model writes the arguments
   * - `pending`: the call is complete and has not begun
   * - `waiting`: a person is asked, see the question after it
   * - `running`: the body has begun
   * - `done`: the call has ended, or never will run
   */
  readonly state: "writing" | "pending" | "waiting" | "running" | "done";
  /** The block of the call is not closed yet. If the block is refused, the part disappears. */
  readonly announced?: true;
  /** Unix time in seconds at which the body began. Present until the call has ended. */
  readonly started?: number;
  /** The latest progress update. Present until the call has ended. */
  readonly progress?: Json;
  /** How the call ended. A log holds `success`, `failure`, and `denied` where a person denied it. */
  readonly outcome?: "success" | "failure" | "blocked" | "denied" | "cancelled" | "skipped";
  /** What the model reads, with its attachments where `tool_ended` or the log has told of them. Absent while the call has not ended, and where the log holds no result of it. */
  readonly result?: ToolResult;
  /** Seconds. Absent if the body never began. */
  readonly duration?: number;
  readonly open?: true;
}

/** A question to a person about a call. It stands after the part of its call. */
export interface QuestionPart {
  readonly type: "question";
  readonly id: string;
  /** The id of the call. */
  readonly call: string;
  /** The tool. */
  readonly name: string;
  /** `approval`: whether the call may run. `answer`: the call itself asks. */
  readonly asks: "approval" | "answer";
  /** Why approval is asked; empty if only the policy asks, or if the call itself asks. */
  readonly concerns: readonly { readonly kind: string; readonly why: string }[];
  /** What the call touches: resolved paths such as `file:/srv/notes.md`. */
  readonly touches: readonly string[];
  /**
   * The names of the agents that lead to the call which asks, from the outermost, where an agent asks that the call has started: `name`
   * and `args` are those of its call.
   */
  readonly agents?: readonly string[];
  readonly args?: JsonObject;
  /** The client is asked, whose tool is called: no person needs to see it. */
  readonly client?: true;
  /** What the call asks. */
  readonly message?: string;
  /** JSON Schema of the answer. */
  readonly schema?: JsonSchema;
  /** Nobody has answered, and no other question has taken its place. */
  readonly open?: true;
  /** Absent while the question is open, and if nobody answered before the call ended or another question took its place. */
  readonly decision?: "approved" | "denied" | "answered";
  /** What the person answered. */
  readonly answer?: Json;
  /** The reason that the person, or the runtime, gave for the decision. */
  readonly reason?: string;
}

/** Something went wrong that the run survived. */
export interface ErrorPart {
  readonly type: "error";
  readonly code: string;
  readonly message: string;
}

/** Something kept the conversation from going on. Of several in a row, only the last one stands. */
export interface NoticePart {
  readonly type: "notice";
  readonly code: string;
  /** For the person who waits. */
  readonly message: string;
  /** Unix time in seconds of the next try, if one comes by itself. It may have passed: later tries may leave no notice. */
  readonly retryAt?: number;
  /** Nothing more happens until somebody releases the conversation. */
  readonly parked?: true;
  /** It still does: nothing has come after it. Without `open`, there is neither `retryAt` nor `parked`. */
  readonly open?: true;
}

/** A run ended. */
export interface EndPart {
  readonly type: "end";
  /** `cancelled`: the user ended the run. The others are the status of the run. */
  readonly status: "completed" | "stopped" | "failed" | "waiting" | "cancelled";
  /** Why the run ended, if the model did not give a complete answer. */
  readonly stop?: { readonly reason: string; readonly message: string };
  /** Why the run failed. */
  readonly error?: { readonly code: string; readonly message: string };
}
