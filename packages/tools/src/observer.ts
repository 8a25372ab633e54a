import type { Json } from "@cogency/protocol";
import type { ApprovalRequest } from "./approval/approval.ts";
import type { ToolError } from "./errors.ts";
import type { ToolExecution } from "./execution.ts";
import type { LoggedCall } from "./logged-call.ts";
import type { QuestionRecord } from "./questions/question-record.ts";

/**
 * An event of a call, sent as it happens. `started` and `progress` come only from bodies that run; every call of a batch
 * gives one `completed`. `asked` comes when a question for approval is logged, before a person is asked; `answered` when the answer is
 * logged. A question that is closed without an answer, because the run was cancelled, gives no `answered`.
 */
export type ToolEvent =
  | { type: "started"; call: LoggedCall }
  | { type: "progress"; call: LoggedCall; update: Json }
  | { type: "completed"; execution: ToolExecution }
  | { type: "asked"; request: Omit<ApprovalRequest, "signal"> }
  /** `error` is what `approve` threw; the model reads only that the question failed. */
  | {
      type: "answered";
      call: LoggedCall;
      question: string;
      approved: boolean;
      reason?: string;
      /** Who answered from elsewhere, as they claim. */
      by?: string;
      error?: unknown;
    }
  /** The body asks a person. The question is logged. */
  | { type: "question_asked"; call: LoggedCall; question: QuestionRecord }
  /** A question of a body has its answer, which is logged. */
  | { type: "question_answered"; call: LoggedCall; question: string; content: Json; by?: string }
  /** `answer` of the host threw `error`; the model reads only that the person could not be asked. */
  | { type: "question_failed"; call: LoggedCall; question: string; error: unknown }
  /** A hook threw or took too long. */
  | { type: "hook_failed"; error: ToolError<"hook_failed"> }
  /** A hook returned something inadmissible; the batch ends. */
  | { type: "hook_breach"; error: ToolError<"hook_contract"> };

/** Called synchronously: an observer that blocks delays the calls. Its promise is not awaited, and its errors are ignored. */
export type Observer = (event: ToolEvent) => void;

/** An observer whose errors and rejections are ignored. */
export function guarded(observer: Observer | undefined): Observer {
  return (event) => {
    try {
      // An async function is a valid observer. Nothing awaits its promise.
      Promise.resolve(observer?.(event)).catch(() => {});
    } catch {}
  };
}
