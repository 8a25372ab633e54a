import type { JsonObject } from "@cogency/protocol";

/** Why a run ends, the strongest first: of several signals the first of these counts. */
const reasons = [
  "error",
  "stop_requested",
  "user_requested",
  "steps_limit",
  "token_limit",
  "time_limit",
  "retry_limit",
  "finish_reason",
  "completed",
  "unknown",
] as const;

export type StopReason = (typeof reasons)[number];

/** The wish that a run come to its end. */
export interface StopSignal {
  readonly reason: StopReason;
  readonly message: string;
  readonly context: JsonObject;
  /** Who asked for it. */
  readonly source?: string;
}

/** The signal that counts: the strongest, the earliest of equals; undefined when there is none. */
export function strongestStop(signals: Iterable<StopSignal>): StopSignal | undefined {
  let winner: StopSignal | undefined;
  for (const signal of signals) {
    if (!winner || reasons.indexOf(signal.reason) < reasons.indexOf(winner.reason)) winner = signal;
  }
  return winner;
}

/**
 * The signal of a StopRun that was thrown, or that stands behind what was thrown: as its cause, or among the members of an
 * AggregateError or a SuppressedError, at any depth. Undefined when there is none. Never throws.
 */
export function stopBehind(thrown: unknown): StopSignal | undefined {
  const seen = new Set([thrown]);
  const signals: StopSignal[] = [];
  // A set may grow while it is walked; an error that stands behind itself is met once.
  for (const error of seen) {
    if (seen.size > mostErrors || typeof error !== "object" || error === null) continue;
    try {
      if (error instanceof StopRun) signals.push(error.signal);
      const { cause, errors, error: latest, suppressed } = error as Partial<Record<string, unknown>>;
      for (const inner of [cause, latest, suppressed, ...(Array.isArray(errors) ? errors : [])]) seen.add(inner);
    } catch {
      // What cannot be read asks for nothing.
    }
  }
  return strongestStop(signals);
}

/** Errors that are looked at: a getter may make causes without end. */
const mostErrors = 1000;

/** Whether the run was made to end, rather than being done. */
export function isForcedStop({ reason }: StopSignal): boolean {
  return reason !== "completed" && reason !== "finish_reason";
}

/**
 * Thrown by a tool to end the run, also as the cause of another error: its call succeeds with the message, calls of the batch that have not begun are
 * skipped, those that run come to their end, and no further model request is made.
 */
export class StopRun extends Error {
  override readonly name = "StopRun";
  readonly code = "stop_run";
  readonly signal: StopSignal;

  constructor({ reason, message = "", context = {}, source }: Pick<StopSignal, "reason"> & Partial<StopSignal>) {
    super(message || reason);
    this.signal = { reason, message, context, ...(source !== undefined && { source }) };
  }
}
