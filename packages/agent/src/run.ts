import type { AgentEvent, JsonObject, RunEvent } from "@cogency/protocol";
import type { StopSignal } from "@cogency/tools/host";
import type { QuestionError } from "./batch/question-errors.ts";
import type { UnknownCall } from "./batch/unknown-calls.ts";
import type { OpenQuestion } from "./ending.ts";
import { RunError } from "./errors.ts";
import { iterate } from "./iterate.ts";
import type { Tally } from "./meter.ts";
import type { Outlet } from "./outlet.ts";

/** How a run ended. `status` narrows it. */
export type RunResult = CompletedRun | StoppedRun | FailedRun | WaitingRun;

/** What every result has. */
export interface RunTotals extends Tally {
  /** The answer: the last text for the user that the run has produced. It may be only a part of an answer. */
  text: string;
  /** Calls that did not succeed, also if the model answered all the same. */
  toolErrors: number;
  /**
   * The calls that may have taken effect, though nobody knows: their bodies did not end when they were told to, or a crash broke
   * them off and their tools cannot tell (`verify`). Absent if there are none. The model reads the same in their results.
   */
  unknown?: readonly UnknownCall[];
  /**
   * The questions that `approve` or `answer` threw at instead of answering, with what they threw. Absent if there are none. The model
   * reads only that the question failed.
   */
  questionErrors?: readonly QuestionError[];
  /** The metadata at the end: that of the run with the changes of hooks. Absent if there is none. */
  metadata?: JsonObject;
}

/** The model's turn is complete, or a tool ended the run so. */
export interface CompletedRun extends RunTotals {
  status: "completed";
  /**
   * Absent if the model gave a complete answer. `finish_reason`: the answer was cut off or filtered, or there was no room for one;
   * `context.finish` says which, `context.maxOutputTokens` is the limit, if one was set. Any other reason: a tool (`StopRun`) gave it.
   */
  stop?: StopSignal;
  /** The object, of a run for one (`agent.object`), also where `recover` has gone on with it. */
  object?: unknown;
  error?: undefined;
  waiting?: undefined;
}

/** The run ended although the model was not done. */
export interface StoppedRun extends RunTotals {
  status: "stopped";
  /**
   * - `user_requested`: the signal aborted, or the consumer left; `context.reason` is the reason given to `abort`
   * - `time_limit`: `budget.seconds` are over, the signal aborted by a deadline, such as `AbortSignal.timeout`, or the run was asked to
   *   hand over (`context.handedOver`); `recover` continues the run
   * - `steps_limit`, `token_limit`, `cost_limit`, `calls_limit`: the next step does not fit into what is left of the budget of the
   *   run, or of the conversation (`context.of`); `context` has what is used, the limit, and what was `needed`
   * - `retry_limit`: the same calls gave the same results too often, or calls kept failing
   * - any other reason: a tool (`StopRun`) or a hook gave it
   */
  stop: StopSignal;
  /** The store hangs, and the end of the run may not be in the log (`not_stored`). */
  error?: RunError;
  waiting?: undefined;
}

/** The run could not go on. */
export interface FailedRun extends RunTotals {
  status: "failed";
  /** Why. */
  error: RunError;
  stop?: undefined;
  waiting?: undefined;
}

/** Calls need approval or ask a person, and nobody here could answer. */
export interface WaitingRun extends RunTotals {
  status: "waiting";
  /** The questions. `recover` goes on, once they are answered or with an `approve` and an `answer` of its own. */
  waiting: readonly OpenQuestion[];
  stop?: undefined;
  error?: undefined;
}

/**
 * One run of an agent. It starts when its first event is pulled, or when `result` is read and nobody iterates. Printing,
 * cloning or serializing a run does not start it. A run that is neither pulled to its end nor left keeps its lease, so other
 * runs of its conversation fail with `busy`, until the garbage collector finds that nobody holds its iterator: then it is
 * cancelled, as if it had been left.
 */
export interface Run<E = AgentEvent> extends AsyncIterable<E> {
  /** The name of the conversation. */
  readonly conversation: string;
  /**
   * The events, once. Leaving the loop early cancels the run.
   *
   * @throws RunError if the run fails
   */
  [Symbol.asyncIterator](): AsyncIterator<E, undefined>;
  /** Resolves when the run is over, also if it failed. If nobody iterates, reading this property starts the run. */
  readonly result: Promise<RunResult>;
}

/** The parts of a run that its loop and its consumer share. */
interface RunParts {
  conversation: string;
  /** Begins the run at its first pull. Its end is the end of the run. */
  outlet: Outlet<never, AgentEvent | RunEvent>;
  result: Promise<RunResult>;
  /** Ends a run whose consumer has left, or which has not begun. Must not hold the iterator. */
  leave(): Promise<void>;
}

/** Why a run ends whose consumer has left. */
export const consumerLeft: StopSignal = {
  reason: "user_requested",
  message: "The consumer left before the run was over.",
  context: {},
};

/** Makes a run that has not begun. */
export function createRun({ conversation, outlet, result, leave }: RunParts): Run<AgentEvent | RunEvent> {
  let isTaken = false;

  const take = () => {
    if (isTaken)
      throw new RunError("iterated_twice", "A run can be iterated once. Read `result`, or start another run.");
    isTaken = true;
    return iterate(outlet, leave, result);
  };

  const run: Omit<Run<AgentEvent | RunEvent>, "result"> = { conversation, [Symbol.asyncIterator]: take };
  // Not enumerable: code that reads all properties of an object must not start a run.
  return Object.defineProperty(run, "result", {
    get() {
      // A consumer that reads `result` and then iterates, before the next microtask, still gets the events.
      queueMicrotask(async () => {
        if (isTaken) return;
        const iterator = take();
        try {
          while (!(await iterator.next()).done);
        } catch {
          // `result` holds the error.
        }
      });
      return result;
    },
  }) as Run<AgentEvent | RunEvent>;
}
