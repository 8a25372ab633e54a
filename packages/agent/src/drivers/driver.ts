import type {
  CallEvent,
  EndEvent,
  ErrorEvent,
  ExecuteEvent,
  FinishReason,
  LogEvent,
  RecordEvent,
  RespondEvent,
  ThinkEvent,
  ToolSpec,
  Usage,
} from "@cogency/protocol";
import type { ModelRequest, Provider } from "@cogency/provider";
import type { BatchOptions } from "@cogency/tools";
import type { SessionLine } from "../session/session-line.ts";

/**
 * Decides what the model is asked and how its output becomes events. Every driver reads the same log and gives the same
 * events, so a conversation may change its driver at any turn.
 *
 * INVARIANT: a driver never runs tools and never writes to the log; the loop does. A call that a driver ran itself would have
 * no approval and no record, so a crash would lose it.
 */
export interface Driver {
  readonly name: string;
  /** How the executor runs the batches of this driver. */
  readonly batch: BatchOptions;
  /**
   * Makes the model requests of one step, and yields their events in the token view up to `execute`. After `execute` only
   * `record`, `usage` and `finish` follow, while the loop runs the batch; other events are then ignored. When `signal`
   * aborts, the iteration ends without throwing. After 250 ms the loop continues without it.
   *
   * @throws RunError `provider` if the model cannot be asked or its answer breaks off, after the events that came before;
   * the loop wraps any other error in a RunError `driver`
   */
  step(context: StepContext): AsyncIterable<StepEvent>;
}

export interface StepContext {
  /** The conversation so far. */
  readonly log: readonly LogEvent[];
  /** Identity and instructions. The driver appends its own instructions, such as how to write calls. */
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly provider: Provider;
  /** To be asked instead of the provider, where the run keeps a session (mode `resume` or `auto`). */
  readonly session?: SessionLine | undefined;
  /** Settings of the model request, such as `model` or `maxOutputTokens`. */
  readonly request: RequestSettings;
  /** `null` asks for one non-streaming model request. */
  readonly stream: "token" | "event" | null;
  readonly signal: AbortSignal;
  /** Unix time in seconds, for the events. */
  readonly clock: () => number;
}

export type RequestSettings = Pick<ModelRequest, "model" | "maxOutputTokens" | "temperature" | "stop" | "options">;

export type StepEvent =
  | ThinkEvent
  | RespondEvent
  | CallEvent
  | ExecuteEvent
  | EndEvent
  /** An error that does not end the step, such as a request that is made again. */
  | ErrorEvent
  /** A block that does not run, why, and its text as the model wrote it. */
  | { type: "refused"; error: ErrorEvent; text: string }
  /** Native blocks of the provider, to be stored. */
  | RecordEvent
  | { type: "usage"; usage: Usage }
  | { type: "finish"; reason: FinishReason };
