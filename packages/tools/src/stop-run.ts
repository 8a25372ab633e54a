import type { JsonObject } from "@cogency/protocol";
import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";
import { checkOptions, type OptionTable, object, oneOf, required, text } from "@cogency/protocol/options";

/** Why a run ends. Of several signals the one whose reason stands first here counts. */
const reasons = [
  "error",
  "stop_requested",
  "user_requested",
  "steps_limit",
  "token_limit",
  "cost_limit",
  "calls_limit",
  "time_limit",
  "retry_limit",
  "finish_reason",
  "completed",
  "unknown",
] as const;

export type StopReason = (typeof reasons)[number];

/** A request to end the run. */
export interface StopSignal {
  readonly reason: StopReason;
  readonly message: string;
  readonly context: JsonObject;
  /** Who made the request. */
  readonly source?: string;
}

/** The strongest signal, the earliest one among equals; undefined if there is none. */
export function strongestStop(signals: Iterable<StopSignal>): StopSignal | undefined {
  let winner: StopSignal | undefined;
  for (const signal of signals) {
    if (!winner || reasons.indexOf(signal.reason) < reasons.indexOf(winner.reason)) winner = signal;
  }
  return winner;
}

/**
 * The signal of a thrown StopRun, also of one among the causes of a thrown error or the members of an AggregateError or
 * SuppressedError, at any depth. Undefined if there is none. Never throws.
 */
export function stopBehind(thrown: unknown): StopSignal | undefined {
  const seen = new Set([thrown]);
  const signals: StopSignal[] = [];
  // A set may grow while it is iterated. An error that is its own cause is visited once.
  for (const error of seen) {
    if (seen.size > mostErrors || typeof error !== "object" || error === null) continue;
    try {
      if (isStopRun(error)) signals.push(error.signal);
      const { cause, errors, error: latest, suppressed } = error as Partial<Record<string, unknown>>;
      for (const inner of [cause, latest, suppressed, ...(Array.isArray(errors) ? errors : [])]) seen.add(inner);
    } catch {
      // An unreadable error holds no signal.
    }
  }
  return strongestStop(signals);
}

/** Errors that are visited: a getter may create causes without end. */
const mostErrors = 1000;

/** Whether the signal stops a run that was not done. */
export function isForcedStop({ reason }: StopSignal): boolean {
  return reason !== "completed" && reason !== "finish_reason";
}

type StopOptions = Pick<StopSignal, "reason"> & Partial<StopSignal>;

const stopTable: OptionTable<StopOptions> = /* @__PURE__ */ (() => ({
  reason: required(oneOf(...reasons)),
  message: text,
  context: object,
  source: text,
}))();

/**
 * Thrown by a tool to end the run, also as the cause of another error. Its call succeeds with the message, calls of the batch
 * that have not begun are skipped, running calls are awaited, and no further model request is made.
 */
export class StopRun extends Error {
  static {
    brandErrors(StopRun, "StopRun");
  }

  override readonly name = "StopRun";
  readonly code = "stop_run";
  readonly signal: StopSignal;

  /** @throws TypeError, RangeError for a reason that is none */
  constructor(signal: StopOptions) {
    checkOptions<StopOptions>("StopRun", signal, stopTable);
    const { reason, message = "", context = {}, source } = signal;
    super(message || reason);
    this.signal = { reason, message, context, ...(source !== undefined && { source }) };
  }
}

/** Whether it is a StopRun, also one of another copy of `@cogency/tools`. */
function isStopRun(value: unknown): value is StopRun {
  return hasErrorBrand(value, "StopRun");
}
