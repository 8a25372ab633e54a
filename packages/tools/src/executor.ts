import type { JsonObject, ToolCall, ToolResult } from "@cogency/protocol";
import type { ApprovalRecord } from "./approval/approval.ts";
import type { ToolExecution } from "./execution.ts";
import type { LoggedCall } from "./logged-call.ts";
import type { StopSignal } from "./stop-run.ts";
import type { Content, ToolState } from "./tool.ts";

/** Runs calls. It never decides whether the model wanted them. */
export interface Executor {
  /** Begin a batch. Calls are added as the model announces them and run at `run`. */
  open(context: BatchContext, options?: BatchOptions): Batch;
  /** `open`, `add` for each call, `run`. */
  run(calls: readonly ToolCall[], context: BatchContext, options?: BatchOptions): Promise<ToolExecution[]>;
  /** Of a whole result that was kept of call `id`: what the model may see of it, as `toToolResult` gives of an execution. */
  shorten(result: ToolResult, id: string): ToolResult;
}

export interface Batch {
  /**
   * Announce a call. Returns it as it is logged: with its own id if that matches `^[A-Za-z0-9_-]{1,40}$` and no earlier
   * call of the batch has it, else with a minted one.
   */
  add(call: ToolCall): LoggedCall;
  /**
   * Run what was added, once.
   *
   * INVARIANT: N calls give N executions in call order, whatever fails, times out or is refused.
   * @throws ToolError with `throwOnToolFailure`, HookContractError if hooks are checked strictly, what the journal threw, or
   * JournalStalledError if an entry took over 250 ms after an abort; nothing else
   */
  run(): Promise<ToolExecution[]>;
  /** Forget what was added: nothing of it runs. What had begun is aborted and settled. */
  discard(): Promise<void>;
  /** The metadata of `context.state` with the patches of hooks; complete when `run` has settled. */
  readonly metadata: JsonObject;
  /** Why the run is to end, if a tool or a hook wants that: the strongest signal. */
  readonly stop: StopSignal | undefined;
}

export interface BatchContext {
  conversation: string;
  user?: string | undefined;
  /** Tools and hooks see a copy that they cannot change. Defaults to a run in which nothing has happened yet. */
  state?: ToolState | undefined;
  signal?: AbortSignal | undefined;
  journal?: Journal | undefined;
  /** What the conversation belongs to, such as a folder. An approval that was given in another scope does not count. */
  scope?: string | undefined;
  /**
   * What was logged of the approval of these calls before a restart. A call is not asked about again that was refused,
   * or approved where the question would show the same now, as far as the key ring verifies the answer.
   */
  approvals?: readonly ApprovalRecord[] | undefined;
  /** What the conversation holds as the batch begins; the first of each kind is named to the person who is asked. */
  content?: readonly Content[] | undefined;
}

/** Makes calls durable as they happen; the executor waits for it. A failing journal ends the batch. */
export interface Journal {
  /** A question for approval is about to be put, or was answered. */
  approval(record: ApprovalRecord): Promise<void> | void;
  /**
   * Before the body of the tool begins; of a call that began early, as soon as `run` was called. `requested` is the call
   * as the model wrote it, where a hook, or the reading of its arguments, made another one of it. `brings` is what the
   * call may bring into the conversation at worst: it counts where no end of the call was written.
   */
  started(call: LoggedCall, requested: LoggedCall | undefined, brings: readonly Content[]): Promise<void> | void;
  /** After the body ended, before the batch does. */
  finished(execution: ToolExecution): Promise<void> | void;
}

export interface BatchOptions {
  /** Side by side, or one after another in call order. Default: `"parallel"`. */
  mode?: "parallel" | "sequential" | undefined;
  /** How far a string may stand for another type where the schema admits no string (contracts.md). Default: `"json"`. */
  coerce?: "json" | "lexical" | undefined;
}
