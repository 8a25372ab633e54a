import type { ErrorEvent, FinishReason, ResultEvent } from "@cogency/protocol";
import { type StopSignal, strongestStop } from "@cogency/tools/host";
import { wayPastLimit } from "../drivers/cut-off.ts";
import { endingOfStop, type RunEnding } from "../ending.ts";
import { RunError, runErrorOf } from "../errors.ts";
import { orAbandoned } from "../log/or-abandoned.ts";
import type { RunContext } from "../run-context.ts";
import { lowAt, lowNotice, wayOn } from "./ledger.ts";
import { leastNeed } from "./request-need.ts";
import type { StepOutcome } from "./step-outcome.ts";
import { tellModel } from "./tell-model.ts";

/** Decides after each step whether the turn ends. */
export interface TurnBudget {
  /** Why the run may not take another step; undefined if it may. */
  stopBefore(): StopSignal | undefined;
  /** The ending of a run that may not take another step, once the host was asked, where it wants to be (`atLimit`). */
  endingBefore(): Promise<RunEnding | undefined>;
  /**
   * Whether the run goes on although a limit is reached: the host is asked for others, once for a reason between two steps.
   *
   * @throws RunError `hook`
   */
  goesPast(stop: StopSignal): Promise<boolean>;
  /** Tells the model, before its next request, what it has to know about the limits. */
  tellModel(): Promise<void>;
  /** The ending of a run whose step came to this outcome; undefined if it goes on. Called once a step. */
  endingAfter(outcome: StepOutcome): RunEnding | undefined;
  /**
   * Counts a step whose output could not be used.
   *
   * @throws RunError `no_progress` at `maxFailures` in a row
   */
  countFailure(outcome: StepOutcome & { type: "unusable" }): void;
}

export function createBudget(context: RunContext): TurnBudget {
  const { settings, ledger, atLimit, deadline } = context;
  const { request, clock } = settings;
  const { failures: maxFailures } = settings.limits;
  const askedFor = new Set<string>();
  const breakers = [createRepeats(settings.limits.repeats), createFailedCalls(settings.limits.failedCalls)];
  let failures = 0;

  const endingAfterBatch = (outcome: Acted): RunEnding | undefined => {
    // What a tool asked for is no limit: whatever else is reached, the run ends as it wants.
    if (outcome.stop) return endingOfStop(outcome.stop);
    failures = 0;
    const tripped = breakers.flatMap((breaker) => breaker.count(outcome) ?? []);
    // The host is asked before the next step.
    const usedUp = atLimit ? undefined : ledger.stopBefore(leastNeed(context));
    const stop = strongestStop([...(usedUp ? [usedUp] : []), ...tripped.map((trip) => trip.stop)]);
    const trip = tripped.find((trip) => trip.stop === stop);
    return stop && { ...stopped(stop), ...(trip && { notice: errorOf(trip, clock()) }) };
  };

  const stopBefore = () => ledger.stopBefore(leastNeed(context)) ?? deadline.stop;

  const goesPast = async (stop: StopSignal): Promise<boolean> => {
    const of = `${stop.reason} ${stop.context.of}`;
    if (!atLimit || askedFor.has(of)) return false;
    askedFor.add(of);
    return askForMore(context, stop);
  };

  return {
    stopBefore,
    goesPast,
    async endingBefore() {
      for (;;) {
        const stop = stopBefore();
        if (!stop) return undefined;
        if (await goesPast(stop)) continue;
        if (context.signal.aborted) return undefined;
        if (stop.reason !== "time_limit") return stopped(stop);
        deadline.end();
        return undefined;
      }
    },
    async tellModel() {
      const notices = [
        // Where the host is asked, little left is not the end.
        ...(atLimit ? [] : [...ledger.takeLow(), ...lowTime(context)]),
        ...breakers.flatMap((breaker) => breaker.takeNotice()),
      ];
      if (notices.length > 0) await tellModel(context, [notices.join("\n")]);
    },
    endingAfter(outcome) {
      askedFor.clear();
      if (outcome.type === "answered") {
        const stop = stopOfCut(outcome.text, outcome.finish, request.maxOutputTokens);
        return { status: "completed", ...(stop && { stop }) };
      }
      if (outcome.type === "acted") return endingAfterBatch(outcome);
      return outcome.type === "unusable" && outcome.stop && !atLimit ? stopped(outcome.stop) : undefined;
    },
    countFailure({ problem, text, finish }) {
      if (++failures < maxFailures) return;
      const advice = finish === "length" ? ` ${wayPastLimit(request.maxOutputTokens)}` : "";
      const message = `The model wrote nothing that can be used ${failures} times in a row (\`budget.failures\`). \`recover\` asks it again; if that does not help, try another model or driver. The last time: ${problem}${advice}`;
      throw new RunError("no_progress", message, { text });
    },
  };
}

export function stopped(stop: StopSignal): RunEnding {
  return { status: "stopped", stop };
}

/** Asks the host for other limits, for as long as it takes. The time of the run stands still meanwhile. */
async function askForMore(context: RunContext, stop: StopSignal): Promise<boolean> {
  const { atLimit, conversation, user, signal, deadline, ledger, meter } = context;
  deadline.pause();
  const { steps, tokens, toolCalls, cost } = meter;
  const used = { steps, tokens, toolCalls, seconds: deadline.elapsed, ...(cost !== undefined && { cost }) };
  const reached = { stop, used, conversation, ...(user !== undefined && { user }), signal };
  try {
    const given = await orAbandoned(async () => atLimit?.(reached), signal, undefined);
    if (given === undefined || signal.aborted) return false;
    const limits = context.settings.limitsWith(given, context.settings.limits);
    context.settings = { ...context.settings, limits };
    ledger.change(limits);
    deadline.seconds = limits.seconds;
    return true;
  } catch (cause) {
    const { message } = runErrorOf(cause, "hook");
    throw new RunError("hook", `\`atLimit\` failed: ${message}`, { cause });
  } finally {
    if (!signal.aborted) deadline.start();
  }
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

/**
 * Ends a turn that makes the same calls with the same results, one batch or a few in a cycle. Polling goes on for as long as its results
 * differ.
 */
function createRepeats(most: number): Breaker {
  /** The last batches, the newest first. */
  const last: string[] = [];
  /** By the length of a cycle less one: how many batches in a row were like the one that so many batches before. */
  const alike: number[] = Array(longestCycle).fill(0);
  return {
    count({ fingerprint }) {
      for (const index of alike.keys()) alike[index] = last[index] === fingerprint ? (alike[index] ?? 0) + 1 : 0;
      last.unshift(fingerprint);
      last.length = Math.min(last.length, longestCycle);
      const cycle = alike.findIndex((count, index) => count >= (index + 1) * (most - 1)) + 1;
      if (cycle === 0) return undefined;
      const what = cycle === 1 ? "the same calls" : `the same ${cycle} batches of calls`;
      const message = `The model made ${what} with the same results ${most} times in a row. ${wayOn("budget.repeats")}`;
      const context = { repeats: most, ...(cycle > 1 && { cycle }) };
      return { code: "repeated_batch", stop: { reason: "retry_limit", message, context } };
    },
    takeNotice: () => [],
  };
}

/** Batches of the longest cycle that is found. */
const longestCycle = 16;

/** Ends a turn whose calls keep failing, also with other arguments. One that succeeds begins a new count. */
function createFailedCalls(most: number): Breaker {
  let failed = 0;
  let isTold = false;
  return {
    count({ counts }: { counts: ResultEvent["payload"] }) {
      if (counts.success_count > 0) [failed, isTold] = [0, false];
      else failed += counts.failure_count;
      if (failed < most || !isTold) return undefined;
      const message = `The last ${failed} calls all failed, of at most ${most}. ${wayOn("budget.failedCalls")}`;
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
  const isLimited = finish === "length";
  const own =
    limit === undefined ? "its own output limit" : `the limit of ${limit} tokens (\`request.maxOutputTokens\`)`;
  const why = isLimited ? `reached ${own}` : "was stopped by the provider's content filter";
  const [problem, advice] =
    text === ""
      ? [`There is no answer: the model ${why}.`, "Ask for a shorter answer."]
      : [`The answer is not complete: the model ${why}.`, "Prompt for the rest."];
  const message = isLimited ? `${problem} ${advice} ${wayPastLimit(limit)}` : problem;
  const context = { finish, ...(isLimited && limit !== undefined && { maxOutputTokens: limit }) };
  return { reason: "finish_reason", message, context };
}
