import type { ToolCall } from "@cogency/protocol";
import type { ToolExecution } from "./execution.ts";
import type { ToolState } from "./tool.ts";

/** Runs calls. It never decides whether the model wanted them. */
export interface Executor {
  /** Begin a batch. Calls are added as the model announces them and run at `run`. */
  open(context: BatchContext, options?: BatchOptions): Batch;
  /** `open`, `add` for each call, `run`. */
  run(calls: readonly ToolCall[], context: BatchContext, options?: BatchOptions): Promise<ToolExecution[]>;
}

export interface Batch {
  /**
   * Announce a call. Returns it as it is logged: with its own id if that matches `^[A-Za-z0-9_-]{1,40}$` and no earlier
   * call of the batch has it, else with a minted one.
   */
  add(call: ToolCall): ToolCall & { id: string };
  /**
   * Run what was added, once.
   *
   * INVARIANT: N calls give N executions in call order, whatever fails, times out or is refused.
   * @throws only what the journal threw, or JournalStalledError if an entry took over 250 ms after an abort
   */
  run(): Promise<ToolExecution[]>;
  /** Forget what was added: nothing of it runs. What had begun is aborted and settled. */
  discard(): Promise<void>;
}

export interface BatchContext {
  conversation: string;
  user?: string | undefined;
  /** Handed to the tools as it is; that of a run in which nothing has happened yet when absent. */
  state?: ToolState | undefined;
  signal?: AbortSignal | undefined;
  journal?: Journal | undefined;
}

/** Makes calls durable as they happen; the executor waits for it. A failing journal ends the batch. */
export interface Journal {
  /** Before the body of the tool begins. */
  started(call: ToolCall & { id: string }): Promise<void> | void;
  /** After the body ended, before the batch does. */
  finished(execution: ToolExecution): Promise<void> | void;
}

export interface BatchOptions {
  /** Side by side, or one after another in call order. Default: `"parallel"`. */
  mode?: "parallel" | "sequential" | undefined;
  /** How far a string may stand for another type where the schema admits no string (contracts.md). Default: `"json"`. */
  coerce?: "json" | "lexical" | undefined;
}
