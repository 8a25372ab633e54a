import type { ErrorEvent, FinishReason, ResultEvent, UserEvent } from "@cogency/protocol";
import { type StopSignal, strongestStop } from "@cogency/tools";
import { type Ending, endingOfStop } from "../ending.ts";
import { RunError } from "../errors.ts";
import type { RunContext } from "../run-context.ts";
import { lowAt, lowNotice } from "./ledger.ts";
import { leastNeed } from "./request-need.ts";
import type { StepOutcome } from "./step-outcome.ts";

/** Decides after each step whether the turn ends. */
export interface Budget {
  /** The ending of a run that may not take another step. */
  endingBefore(): Ending | undefined;
  /** Tells the model, before its next request, what it has to know about the limits. */
  tellModel(): Promise<void>;
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
  const { request, clock } = settings;
  const { failures: maxFailures } = settings.limits;
  const breakers = [createRepeats(settings.limits.repeats), createFailedCalls(settings.limits.failedCalls)];
  let failures = 0;

  const endingAfterBatch = (outcome: Acted): Ending | undefined => {
    // What a tool asked for is no limit: whatever else is reached, the run ends as it wants.
    if (outcome.stop) return endingOfStop(outcome.stop);
    failures = 0;
    const tripped = breakers.flatMap((breaker) => breaker.count(outcome) ?? []);
    const usedUp = ledger.stopBefore(leastNeed(context));
    const stop = strongestStop([...(usedUp ? [usedUp] : []), ...tripped.map((trip) => trip.stop)]);
    const trip = tripped.find((trip) => trip.stop === stop);
    return stop && { ...stopped(stop), ...(trip && { notice: errorOf(trip, clock()) }) };
  };

  return {
    endingBefore() {
      const stop = ledger.stopBefore(leastNeed(context));
      return stop && stopped(stop);
    },
    async tellModel() {
      const notices = [
        ...ledger.takeLow(),
        ...lowTime(context),
        ...breakers.flatMap((breaker) => breaker.takeNotice()),
      ];
      if (notices.length > 0) await tell(context, notices.join("\n"));
    },
    endingAfter(outcome) {
      if (outcome.type === "answered") {
        const stop = stopOfCut(outcome.text, outcome.finish, request.maxOutputTokens);
        return { status: "completed", ...(stop && { stop }) };
      }
      if (outcome.type === "acted") return endingAfterBatch(outcome);
      return outcome.type === "unusable" && outcome.stop ? stopped(outcome.stop) : undefined;
    },
    countFailure({ problem, text, finish }) {
      if (++failures < maxFailures) return;
      const advice = finish === "length" ? " Raise `request.maxOutputTokens`, if the model allows more." : "";
      const message = `The model wrote nothing that can be used ${failures} times in a row. The last time: ${problem}${advice}`;
      throw new RunError("no_progress", message, { text });
    },
  };
}

export function stopped(stop: StopSignal): Ending {
  return { status: "stopped", stop };
}

/** Says in the log, to the model and to the consumer, what the loop has to say. */
async function tell({ settings, log, outlet, timeline }: RunContext, content: string): Promise<void> {
  const notice: UserEvent = { type: "user", content, origin: "notice", timestamp: settings.clock() };
  await log.append([notice]);
  timeline.tell(() => ({ type: "notified", content }));
  await outlet.put(notice);
}

function lowTime({ deadline }: RunContext): string[] {
  const { seconds, elapsed, isTold } = deadline;
  if (isTold || elapsed < lowAt * seconds) return [];
  deadline.isTold = true;
  return [lowNotice("run", Math.round(seconds - elapsed), seconds, "seconds")];
}

type Acted = StepOutcome & { type: "acted" };

/** Why a breaker ends the turn. `code` is that of the error event. */
interface Trip {
  code: string;
  stop: StopSignal;
}

/** Ends a turn that goes round in circles. */
interface Breaker {
  /** Called once for each batch. */
  count(outcome: Acted): Trip | undefined;
  /** What the model is to know since the last call. */
  takeNotice(): string[];
}

function errorOf({ code, stop }: Trip, timestamp: number): ErrorEvent {
  return { type: "error", code, content: stop.message, timestamp };
}

/** Ends a turn that makes the same calls with the same results. Polling goes on for as long as its results differ. */
function createRepeats(most: number): Breaker {
  let repeats = 0;
  let last: string | undefined;
  return {
    count({ fingerprint }) {
      repeats = fingerprint === last ? repeats + 1 : 1;
      last = fingerprint;
      if (repeats < most) return undefined;
      const message = `The model made the same calls with the same results ${repeats} times in a row.`;
      return { code: "repeated_batch", stop: { reason: "retry_limit", message, context: { repeats } } };
    },
    takeNotice: () => [],
  };
}

/** Ends a turn whose calls keep failing, also with other arguments. One that succeeds begins a new count. */
function createFailedCalls(most: number): Breaker {
  let failed = 0;
  let isTold = false;
  return {
    count({ counts }: { counts: ResultEvent["payload"] }) {
      if (counts.success_count > 0) [failed, isTold] = [0, false];
      else failed += counts.failure_count;
      if (failed < most || !isTold) return undefined;
      const message = `The last ${failed} calls all failed.`;
      return { code: "failing_calls", stop: { reason: "retry_limit", message, context: { failedCalls: failed } } };
    },
    takeNotice() {
      if (isTold || failed < most / 2) return [];
      isTold = true;
      return [
        `Your last ${failed} calls all failed. Do something else than before, or answer and say what does not work.`,
      ];
    },
  };
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
