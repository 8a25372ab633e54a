import type { FinishReason } from "@cogency/protocol";
import type { StopSignal } from "@cogency/tools";
import { type Ending, endingOfStop } from "../ending.ts";
import { RunError } from "../errors.ts";
import type { RunContext } from "../run-context.ts";
import { leastNeed } from "./request-need.ts";
import type { StepOutcome } from "./step.ts";

/** Decides after each step whether the run ends. */
export interface Budget {
  /** The ending of a run that may not take another step. */
  endingBefore(): Ending | undefined;
  /** The ending of a run whose step came to this outcome; undefined if it goes on. Called once a step. */
  endingAfter(outcome: StepOutcome): Ending | undefined;
  /**
   * Counts a step whose output could not be used.
   *
   * @throws RunError `no_progress` at `maxFailures` in a row
   */
  countFailure(outcome: StepOutcome & { type: "unusable" }): void;
}

export function createBudget(context: RunContext): Budget {
  const { settings, ledger } = context;
  const { clock, request } = settings;
  const { failures: maxFailures, repeats: maxRepeats } = settings.limits;
  let failures = 0;
  let repeats = 0;
  let lastBatch: string | undefined;

  const endingBefore = (): Ending | undefined => {
    const stop = ledger.stopBefore(leastNeed(context));
    return stop && stopped(stop);
  };

  const endingAfterBatch = (stop: StopSignal | undefined, fingerprint: string): Ending | undefined => {
    if (stop) return endingOfStop(stop);
    repeats = fingerprint === lastBatch ? repeats + 1 : 1;
    lastBatch = fingerprint;
    if (repeats === maxRepeats) {
      const message = `The model made the same calls with the same results ${maxRepeats} times in a row.`;
      const notice = { type: "error", code: "repeated_batch", content: message, timestamp: clock() } as const;
      return { ...stopped({ reason: "retry_limit", message, context: { repeats: maxRepeats } }), notice };
    }
    failures = 0;
    return endingBefore();
  };

  return {
    endingBefore,
    endingAfter(outcome) {
      if (outcome.type === "answered") {
        const stop = stopOfCut(outcome.text, outcome.finish, request.maxOutputTokens);
        return { status: "completed", ...(stop && { stop }) };
      }
      if (outcome.type === "acted") return endingAfterBatch(outcome.stop, outcome.fingerprint);
      return outcome.type === "unusable" && outcome.stop ? stopped(outcome.stop) : undefined;
    },
    countFailure({ problem, text }) {
      if (++failures < maxFailures) return;
      const message = `The model wrote nothing that can be used ${failures} times in a row. The last time: ${problem}`;
      throw new RunError("no_progress", message, { text });
    },
  };
}

export function stopped(stop: StopSignal): Ending {
  return { status: "stopped", stop };
}

/** The stop signal of an answer that was cut off; undefined for a complete one. */
function stopOfCut(text: string, finish: FinishReason, limit: number | undefined): StopSignal | undefined {
  if (finish !== "length" && finish !== "content_filter") return undefined;
  const limited = limit === undefined ? "the output limit" : `the output limit (maxOutputTokens: ${limit})`;
  const why = finish === "length" ? `reached ${limited}` : "was stopped by the provider's content filter";
  const message = text === "" ? `There is no answer: the model ${why}.` : `The answer is not complete: it ${why}.`;
  const context = { finish, ...(finish === "length" && limit !== undefined && { maxOutputTokens: limit }) };
  return { reason: "finish_reason", message, context };
}
