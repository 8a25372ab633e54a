import type { AgentEvent } from "@cogency/protocol";
import type { StopSignal } from "@cogency/tools";
import { RunError, runErrorOf } from "./errors.ts";
import type { Tally } from "./meter.ts";

/** How a run ended. */
export interface RunResult extends Tally {
  /**
   * - `completed`: the model's turn is complete, or a tool ended the run so
   * - `stopped`: `stop` says why
   * - `failed`: `error` says why
   */
  status: "completed" | "stopped" | "failed";
  /** The answer: the last text for the user that the run has produced. It may be only a part of an answer. */
  text: string;
  /** Calls that did not succeed, also if the model answered all the same. */
  toolErrors: number;
  /**
   * Why the run ended; absent if the model gave a complete answer:
   *
   * - `user_requested`: the signal aborted, or the consumer left; `context.reason` is the reason given to `abort`
   * - `time_limit`: the signal aborted by a deadline, such as `AbortSignal.timeout`; `recover` continues the run
   * - `steps_limit`, `retry_limit`: the budget's steps are used up; the same calls gave the same results too often
   * - `finish_reason`: the model's answer was cut off or filtered, or there was no room for one; `context.finish` says
   *   which, `context.maxOutputTokens` is the limit, if one was set
   * - any other reason: a tool (`StopRun`) or a hook gave it
   */
  stop?: StopSignal;
  error?: RunError;
}

/**
 * One run of an agent. It starts when its first event is pulled, or when `result` is read and nobody iterates. Printing,
 * cloning or serializing a run does not start it. A run that is neither pulled to its end nor left keeps its lease, so other
 * runs of its conversation fail with `busy`.
 */
export interface Run extends AsyncIterable<AgentEvent> {
  /** The name of the conversation. */
  readonly conversation: string;
  /**
   * The events, once. Leaving the loop early cancels the run.
   *
   * @throws RunError if the run fails
   */
  [Symbol.asyncIterator](): AsyncIterator<AgentEvent, undefined>;
  /** Resolves when the run is over, also if it failed. If nobody iterates, reading this property starts the run. */
  readonly result: Promise<RunResult>;
}

/** Makes a run of a loop that has not begun. `cancel` aborts the loop; `progress` returns its totals so far. */
export function createRun(
  conversation: string,
  loop: AsyncGenerator<AgentEvent, RunResult>,
  cancel: () => void,
  progress: () => Tally & Pick<RunResult, "text" | "toolErrors">,
): Run {
  let isTaken = false;
  let resolveResult: (result: RunResult) => void = () => {};
  const result = new Promise<RunResult>((resolve) => {
    resolveResult = resolve;
  });

  const fail = (cause: unknown): RunError => {
    const error = runErrorOf(cause, "driver");
    resolveResult({ status: "failed", ...progress(), error });
    return error;
  };

  const iterator: AsyncIterator<AgentEvent, undefined> = {
    async next() {
      try {
        const next = await loop.next();
        if (!next.done) return next;
        // A loop that the consumer left returns nothing; `return` below resolves its result.
        if (next.value) resolveResult(next.value);
        return { done: true, value: undefined };
      } catch (error) {
        throw fail(error);
      }
    },
    async return() {
      cancel();
      try {
        await loop.return(undefined as never);
      } catch (error) {
        throw fail(error);
      }
      const message = "The consumer left before the run was over.";
      resolveResult({
        status: "stopped",
        ...progress(),
        stop: { reason: "user_requested", message, context: {} },
      });
      return { done: true, value: undefined };
    },
  };

  const take = () => {
    if (isTaken)
      throw new RunError("iterated_twice", "A run can be iterated once. Read `result`, or start another run.");
    isTaken = true;
    return iterator;
  };

  const run: Omit<Run, "result"> = { conversation, [Symbol.asyncIterator]: take };
  // Not enumerable: code that reads all properties of an object must not start a run.
  return Object.defineProperty(run, "result", {
    get() {
      // A consumer that reads `result` and then iterates, before the next microtask, still gets the events.
      queueMicrotask(async () => {
        if (isTaken) return;
        take();
        try {
          while (!(await iterator.next()).done);
        } catch {
          // `result` holds the error.
        }
      });
      return result;
    },
  }) as Run;
}
