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
 * Decides what the model is asked and how its output becomes events. The same events come out of every driver and the
 * same log goes in, so a conversation may change its driver at any turn.
 *
 * INVARIANT: a driver never runs tools and never writes to the log; the loop does.
 */
export interface Driver {
  readonly name: string;
  /** How the executor runs the batches that this driver's models write. */
  readonly batch: BatchOptions;
  /**
   * Make the model requests of one step and yield what comes of them, in the token view, up to `execute`. After that
   * only `record`, `usage` and `finish` follow; the loop runs the batch meanwhile. When `signal` aborts, the iteration ends
   * without throwing.
   *
   * @throws RunError `provider` if the model cannot be asked or its answer breaks off, after the events until then;
   * whatever else it throws is a RunError `driver`
   */
  step(context: StepContext): AsyncIterable<StepEvent>;
}

export interface StepContext {
  /** The conversation so far. */
  readonly log: readonly LogEvent[];
  /** Identity and instructions; the driver adds what its models must know to act. */
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly provider: Provider;
  /** Mode `resume`: what is to be asked instead of the provider. In mode `auto` it goes on without a session if none can be opened. */
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
  /** Something that the step survives, such as a request that is made again. */
  | ErrorEvent
  /** A block that is not run, why, and its text as the model wrote it. */
  | { type: "refused"; error: ErrorEvent; text: string }
  /** A provider's own blocks, to be stored. */
  | RecordEvent
  | { type: "usage"; usage: Usage }
  | { type: "finish"; reason: FinishReason };
