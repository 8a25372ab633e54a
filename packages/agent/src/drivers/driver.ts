import type {
  CallDeltaEvent,
  CallEvent,
  EndEvent,
  ErrorEvent,
  ExecuteEvent,
  FinishReason,
  LogEvent,
  MessageForm,
  ModelMessage,
  RecordEvent,
  RespondEvent,
  ThinkEvent,
  ToolSpec,
  Usage,
} from "@cogency/protocol";
import type { ModelEvent, ModelRequest, Provider } from "@cogency/provider";
import type { BatchOptions } from "@cogency/tools/host";
import type { RunError } from "../errors.ts";

/**
 * Decides what the model is asked and how its output becomes events. Every driver reads the same log and gives the same
 * events, so a conversation may change its driver at any turn.
 *
 * A driver is synchronous: the loop asks the model, and passes each event of the answer to the driver's reading.
 *
 * INVARIANT: a driver never asks the model, runs tools or writes to the log; the loop does. A call that a driver ran itself
 * would have no approval and no record, so a crash would lose it.
 */
export interface Driver {
  readonly name: string;
  /** How the executor runs the batches of this driver. */
  readonly batch: BatchOptions;
  /**
   * Whether its requests go through a session where the provider keeps one. A session takes text alone, so a driver whose requests
   * hold native calls says false. Defaults to true.
   */
  readonly usesSessions?: boolean | undefined;
  /**
   * Whether the model calls tools through the provider's own fields, so that a format of the answer (`RequestSettings.format`) leaves
   * it free to call. Defaults to false: it writes calls in the text of its answer, and a format would forbid them.
   */
  readonly nativeCalls?: boolean | undefined;
  /**
   * Whether a run with `stream: "token"` yields the arguments of calls as they are written. If it is false, the `call_delta` events that
   * readings give because of `StepContext.callDeltas` reach only those who watch the conversation live. Defaults to true.
   */
  readonly callDeltas?: boolean | undefined;
  /** Begins a step: makes the request from the log, and the reading of its answer. An error that it throws ends the run. */
  begin(context: StepContext): Reading;
}

export interface StepContext {
  /** The conversation so far. */
  readonly log: readonly LogEvent[];
  /** The log as messages of a request (see `toMessages`). Costs only what the log has grown by since the last step. */
  messages(form: MessageForm): ModelMessage[];
  /** Identity and instructions. The driver appends its own instructions, such as how to write calls. */
  readonly system: string;
  /** The same array in every step of an agent. */
  readonly tools: readonly ToolSpec[];
  /**
   * Whether the agent has more tools than `tools`, which the model finds with `find_tools` and may then call. The log describes them
   * in `user` events, so a driver has nothing to add to its request.
   */
  readonly findsTools?: boolean | undefined;
  /**
   * Whether somebody watches the conversation live, so that the reading is to give `call_delta` events. A reading that does not leaves a
   * screen without the arguments until the call is stored. It may change while the model answers; a reading that asks when a call begins
   * misses fewer.
   */
  readonly callDeltas?: boolean | undefined;
  /** The model that is asked. */
  readonly provider: Pick<Provider, "name" | "model" | "capabilities">;
  /** Settings of the model request, such as `model` or `maxOutputTokens`. */
  readonly request: RequestSettings;
  /** Unix time in seconds, for the events. */
  readonly clock: () => number;
}

export type RequestSettings = Pick<
  ModelRequest,
  "model" | "maxOutputTokens" | "temperature" | "thinking" | "stop" | "options" | "format"
>;

/** Reads the answer to one request. The loop calls `write` for each event, then `end` once. */
export interface Reading {
  readonly request: ModelRequest;
  /** How far the model's turn is. The loop reads it after each `write`. */
  readonly stage: ReadingStage;
  /** Milliseconds that the provider may take to end its answer by itself once the turn is complete. */
  readonly grace: number;
  /**
   * Reads one event of the answer. Returns events in the token view, up to `execute`; after `execute` only `record`, `usage`
   * and `finish`, while the loop runs the batch.
   */
  write(event: ModelEvent): readonly StepEvent[];
  /** Called once, when no further event follows: the answer is complete, was cut off or broke off. */
  end(ending: AnswerEnding): ReadingEnd;
}

/**
 * - `open`: the turn is not complete
 * - `complete`: the turn is complete; the request is aborted `grace` milliseconds later (protocol.md P5)
 * - `surplus`: the model writes on after its turn; the request is aborted at once
 */
export type ReadingStage = "open" | "complete" | "surplus";

/** Why no further event follows. */
export interface AnswerEnding {
  /** The run has aborted, or the loop stopped the answer: for too many calls, for instance. */
  isAborted: boolean;
  /** The loop aborted the request because the turn was complete. */
  wasCut: boolean;
  /** The provider threw `cause`. */
  hasFailed: boolean;
  cause?: unknown;
}

/** What a reading gives at its end. */
export interface ReadingEnd {
  events: readonly StepEvent[];
  /** Ends the run, after the events are stored: usually a RunError `provider`. */
  failure?: RunError | undefined;
  /** Asks the model once more in the same step. The events of both answers form one step. */
  next?: Reading | undefined;
  /**
   * What the model is told if the answer has no calls: it holds one that was not written as the driver reads them. Told once in a turn;
   * after that such an answer counts as it is.
   */
  nearMiss?: string | undefined;
  /** Whether the log holds the answer as the model wrote it. If not, a session that remembers it is opened anew. */
  asWritten: boolean;
}

export type StepEvent =
  | ThinkEvent
  | RespondEvent
  | CallEvent
  /** A piece of the arguments of the call that comes next, for display. It has no `id`; the loop gives it one. */
  | CallDeltaEvent
  | ExecuteEvent
  | EndEvent
  /** An error that does not end the step, such as a request that is made again. */
  | ErrorEvent
  /** A block that does not run, why, and its text as the model wrote it. */
  | { type: "refused"; error: ErrorEvent; text: string }
  /** The text repeated the arguments of a call, and was left out. */
  | { type: "args_leaked"; name: string }
  /** The output was no decision (`extraction_failed`), or not one that can be used. `attempt` counts the outputs of the step from 1. */
  | { type: "extraction_failed" | "validation_failed"; message: string; attempt: number; maxAttempts: number }
  /** Native blocks of the provider, to be stored. */
  | RecordEvent
  | { type: "usage"; usage: Usage }
  | { type: "finish"; reason: FinishReason };
