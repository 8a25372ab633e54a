import type { AgentEvent } from "@cogency/protocol";
import type { StopSignal } from "@cogency/tools";
import { RunError, runErrorOf } from "./errors.ts";
import type { Tally } from "./meter.ts";

/** How a run ended. */
export interface RunResult extends Tally {
  /** `completed`: the model's turn is over, or a tool said so. `stopped`: `stop` tells by what. `failed`: `error` tells why. */
  status: "completed" | "stopped" | "failed";
  /** The answer: the last text for the user that the run has produced, also where it is only a part of one. */
  text: string;
  /** Calls that did not succeed, whatever the model made of it. */
  toolErrors: number;
  /**
   * Why the run came to its end, when the model was not simply done:
   *
   * - `user_requested`: the signal was aborted, or the consumer left; `context.reason` is what `abort` was given
   * - `time_limit`: the signal was aborted by a deadline, such as `AbortSignal.timeout`; `recover` goes on
   * - `steps_limit`, `retry_limit`: the budget's steps are used up; the same calls gave the same results too often
   * - `finish_reason`: the model's answer was cut off or filtered, or there was no room for one; `context.finish` tells
   *   which, `context.maxOutputTokens` the limit, if one was set
   * - whatever a tool (`StopRun`) or a hook gave
   */
  stop?: StopSignal;
  error?: RunError;
}

/**
 * One run of an agent. It starts at the first pull, or when nobody iterates, at `result`. To print, to clone or to
 * serialize it does not start it.
 */
export interface Run extends AsyncIterable<AgentEvent> {
  /** The conversation that this run is a part of. */
  readonly conversation: string;
  /**
   * The events, once. Leaving the loop early cancels the run.
   *
   * @throws RunError if the run fails; nothing else tells an iterating consumer
   */
  [Symbol.asyncIterator](): AsyncIterator<AgentEvent, undefined>;
  /** Resolves when the run is over, also when it failed. If nobody iterates, asking for it runs the run. */
  readonly result: Promise<RunResult>;
}

/** Make a run of a loop that has not begun; `cancel` aborts it, `progress` tells how far it has come. */
export function createRun(
  conversation: string,
  loop: AsyncGenerator<AgentEvent, RunResult>,
  cancel: () => void,
  progress: () => Tally & Pick<RunResult, "text" | "toolErrors">,
): Run {
  let isTaken = false;
  let settle: (result: RunResult) => void = () => {};
  const result = new Promise<RunResult>((resolve) => {
    settle = resolve;
  });

  const fail = (cause: unknown): RunError => {
    const error = runErrorOf(cause, "driver");
    settle({ status: "failed", ...progress(), error });
    return error;
  };

  const iterator: AsyncIterator<AgentEvent, undefined> = {
    async next() {
      try {
        const next = await loop.next();
        if (!next.done) return next;
        // A loop that was left returns nothing; its result is told by `return`.
        if (next.value) settle(next.value);
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
      settle({
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
  // Not enumerable: whatever reads all that an object has must not start a run.
  return Object.defineProperty(run, "result", {
    get() {
      // Whoever asks first and iterates next, in the same breath, still gets the events.
      queueMicrotask(async () => {
        if (isTaken) return;
        take();
        try {
          while (!(await iterator.next()).done);
        } catch {
          // Told by `result`.
        }
      });
      return result;
    },
  }) as Run;
}
