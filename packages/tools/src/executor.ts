import type { JsonObject, ToolCall, ToolResult } from "@cogency/protocol";
import type { Allowed } from "./approval/allowed.ts";
import type { Approval, ApprovalRecord } from "./approval/approval.ts";
import type { ToolExecution } from "./execution.ts";
import type { LoggedCall } from "./logged-call.ts";
import type { Observer } from "./observer.ts";
import type { AnswerRequest, RemoteAnswer, RemoteAnswers } from "./questions/answers.ts";
import type { AnswerRecord, QuestionRecord } from "./questions/question-record.ts";
import type { StopSignal } from "./stop-run.ts";
import type { Content, ToolState } from "./tool.ts";
import type { ToolChanges } from "./tool-changes.ts";

/** Runs calls. It does not decide whether the model wanted them. */
export interface Executor {
  /** Opens a batch. Add each call as the model announces it; `run` runs them. */
  open(context: BatchContext, options?: BatchOptions): Batch;
  /** Runs calls in one batch: `open`, `add` for each call, `run`. */
  run(calls: readonly ToolCall[], context: BatchContext, options?: BatchOptions): Promise<ToolExecution[]>;
  /** Shortens the stored whole result of call `id` to what the model may see, as `toToolResult` does. */
  shorten(result: ToolResult, id: string): ToolResult;
}

export interface Batch {
  /**
   * Announces a call, and returns it as it is logged: with its own id if that matches `^[A-Za-z0-9_-]{1,40}$` and no
   * earlier call of the batch has it, else with a new one.
   *
   * @param begun for a call that an earlier run began: before any call of the batch runs, its tool is asked what became of it
   * (`Tool.verify`)
   * @throws ToolError `batch_closed` after `run` or `discard`; RangeError for more than 10,000 calls
   */
  add(call: ToolCall, begun?: BegunCall): LoggedCall;
  /**
   * Runs the added calls. A second call returns the same promise.
   *
   * @param state takes the place of `context.state`, if the host has changed it since it opened the batch; calls that began early
   * have read the one before
   * INVARIANT: N calls give N executions in call order, whatever fails, times out or is denied.
   * @throws ToolError `tool_failed` with `throwOnToolFailure`; `hook_contract` if a hook broke its contract; what the journal threw;
   * `journal_stalled` if an entry took more than 250 ms after an abort
   */
  run(state?: ToolState): Promise<ToolExecution[]>;
  /** Drops the batch. No further call begins; calls that have begun are aborted and awaited. */
  discard(): Promise<void>;
  /** The metadata of `context.state` with the patches of hooks. Complete when `run` has settled. */
  readonly metadata: JsonObject;
  /** The strongest stop signal that a tool or a hook gave. */
  readonly stop: StopSignal | undefined;
}

/**
 * A call whose body began before a restart, and of whose end nothing is known. What became of it decides:
 *
 * - it took effect: its value is the result, as if it had ended now
 * - it had no effect, or its tool claims that repeating it changes nothing more: the call goes through all stages
 * - otherwise it does not run: its outcome is `cancelled`, its error a ToolError `outcome_unknown`, and it is not `settled`
 */
export interface BegunCall {
  /** The call as it ran; absent where it ran as it is added. */
  ran?: ToolCall | undefined;
  /** The run is over: the call does not run, whatever became of it. */
  isOver?: boolean | undefined;
}

export interface BatchContext {
  conversation: string;
  user?: string | undefined;
  /** The id of the run, for questions. */
  run?: string | undefined;
  /** Asks a person about calls of this batch; takes the place of the executor's `approval.approve`. */
  approve?: Approval["approve"];
  /**
   * Puts the questions that bodies ask to a person. What it returns is the answer; one that does not fit is asked for again, at
   * most three times in all.
   */
  answer?: ((request: AnswerRequest) => unknown) | undefined;
  /** Where answers come from beside `approve` and `answer`. */
  remote?: RemoteAnswers | undefined;
  /** Called with each event of a call of this batch, beside the executor's observer. */
  observer?: Observer | undefined;
  /** The state of the run. Tools and hooks get a frozen copy. Defaults to an empty state. */
  state?: ToolState | undefined;
  signal?: AbortSignal | undefined;
  journal?: Journal | undefined;
  /** What the conversation belongs to, such as a folder. An approval from another scope does not hold. */
  scope?: string | undefined;
  /**
   * The records of approval that were logged about these calls before a restart. An answer that the key ring verifies
   * holds: a denial always, an approval if the question would show the same now. Other calls are judged anew.
   */
  approvals?: readonly ApprovalRecord[] | undefined;
  /** The questions about these calls that were logged before a restart. They keep their ids. */
  questions?: readonly QuestionRecord[] | undefined;
  /** The answers to questions that these calls asked before a restart. One that the key ring verifies holds. */
  answers?: readonly AnswerRecord[] | undefined;
  /**
   * What becomes of a call whose question nobody here can answer:
   *
   * - `"deny"`, the default: it is denied; a question of its body is rejected
   * - `"wait"`: it does not begin, or is left in its question, and its outcome is `waiting`; so is that of calls that must run
   *   after it. The question is logged, and an answer holds for a later batch (`approvals`, `answers`).
   */
  whenUnanswered?: "wait" | "deny" | undefined;
  /**
   * Why calls of a tool with this name must not run in this batch, and who says so, as if a hook of that name blocked them; undefined
   * if they may. Asked after the hooks before a call, which may change its name.
   */
  refuse?: ((name: string) => { readonly by: string; readonly reason: string } | undefined) | undefined;
  /** Where tools may change while the batch runs: which of them have. */
  changes?: ToolChanges | undefined;
  /** Content of the conversation when the batch begins. Questions name the first source of each kind. */
  content?: readonly Content[] | undefined;
  /** The names of the agents whose calls these are, from the outermost; questions carry them. */
  agents?: readonly string[] | undefined;
  /** The conversation of a person to which theirs belongs. */
  root?: string | undefined;
  /** Given to the bodies of tools as `ToolContext.host`. */
  host?: unknown;
}

/**
 * Makes calls durable as they happen. The executor waits for each entry; an entry that fails ends the batch. The entries of
 * `question`, `approval`, `answer` and `started` must be durable when their method returns or its promise resolves: a call that began without a
 * stored `started` would run twice after a crash.
 */
export interface Journal {
  /**
   * Called before a question is put; for a question for approval, unless it was logged before. One of a body that runs again has the
   * same id.
   */
  question(record: QuestionRecord): Promise<void> | void;
  /** Called when a question for approval was answered; `remote` is the answer if it came from elsewhere. */
  approval(record: ApprovalRecord, remote?: RemoteAnswer): Promise<void> | void;
  /**
   * Called when a question of a body was answered, before the body gets the answer. In a journal without it, no body can ask.
   */
  answer?(record: AnswerRecord, remote?: RemoteAnswer<"answer">): Promise<void> | void;
  /**
   * Called before the body of the tool begins; for a call that began early, when `run` is called. `requested` is the call
   * as the model wrote it, if a hook or the coercion of its arguments changed it. `brings` is all content that the call may
   * bring into the conversation: it counts if no `finished` is written. `allowed` says why the call may run.
   */
  started(
    call: LoggedCall,
    requested: LoggedCall | undefined,
    brings: readonly Content[],
    allowed?: Allowed,
  ): Promise<void> | void;
  /**
   * Called when the tool of a call that an earlier run had begun says that it had no effect: after another restart the call counts
   * as not begun.
   */
  notDone?(call: LoggedCall): Promise<void> | void;
  /**
   * Called after the body has ended, before the batch ends; not for a call whose question stands. A host may store the entry later, if it stores no later entry, and
   * no result of the batch, without it. Until then a crash leaves a call whose outcome is unknown.
   */
  finished(execution: ToolExecution): Promise<void> | void;
}

export interface BatchOptions {
  /**
   * - `"parallel"`, the default: all calls are prepared (hooks, checks), then performed side by side, except those that
   *   share a resource
   * - `"sequential"`: each call is prepared and performed before the next one is prepared
   */
  mode?: "parallel" | "sequential" | undefined;
  /** Which strings are read as another type if the schema admits no string; see `coerce`. Defaults to `"json"`. */
  coerce?: "json" | "lexical" | undefined;
}
