import type { Attachment } from "@cogency/protocol";
import type { LoggedCall } from "./logged-call.ts";
import type { QuestionRecord } from "./questions/question-record.ts";
import type { StopSignal } from "./stop-run.ts";
import type { Content } from "./tool.ts";

export interface ResultLimit {
  readonly maxBytes: number;
  /** The name of the tool with which the model can read the rest. */
  readonly reader?: string;
}

/** A call that has ended. */
export interface ToolExecution {
  readonly id: string;
  /** The call as it was approved and ran: after hooks, with coerced arguments. */
  readonly call: LoggedCall;
  /**
   * - `success`: `value` is what the tool returned
   * - `failure`: the tool threw or timed out, is unknown, or the arguments did not fit
   * - `blocked`: a hook blocked it
   * - `denied`: approval was denied or not given
   * - `cancelled`: the run was aborted before the call ended
   * - `skipped`: an earlier call of the batch ended the batch or the run
   * - `waiting`: its question, or that of a call that must run before it, has no answer yet; only with `whenUnanswered: "wait"`
   */
  readonly outcome: "success" | "failure" | "blocked" | "denied" | "cancelled" | "skipped" | "waiting";
  readonly value?: unknown;
  /** What the model gets beside the value; see `withAttachments`. */
  readonly attachments?: readonly Attachment[];
  readonly error?: Error;
  /**
   * The question that stands: a call with the outcome `waiting` waits for its answer, unless it waits for an earlier call; a call
   * that was cancelled had asked it.
   */
  readonly question?: QuestionRecord;
  /** For a call whose body was left (`CallLeft`): the questions that it waits for; none where the run was interrupted. */
  readonly waitsFor?: readonly QuestionRecord[];
  /** The tool asked to end the run (`StopRun`). */
  readonly stop?: StopSignal;
  /** The call as the model wrote it, if a hook or the coercion of its arguments changed it. */
  readonly requested?: LoggedCall;
  /** How much of the result the model may see. Defaults to all of it. */
  readonly resultLimit?: ResultLimit;
  /** False if the body ignored its signal and may still be running, or may have completed. */
  readonly settled: boolean;
  /** Whether the body of the tool began. */
  readonly started: boolean;
  /**
   * The content that the result brings into the conversation, as the tool says after the body has ended. If the body did
   * not end in time, also all content that it may bring. For a call that did not start, only if its error quotes the tool:
   * what `resource` threw, or a caution.
   */
  readonly brings?: readonly Content[];
  /** Unix time in seconds. */
  readonly startedAt: number;
  readonly completedAt: number;
}
