import type { Settlement } from "../async/bounded.ts";
import {
  ToolBlockedError,
  ToolCancelledError,
  ToolDeniedError,
  ToolSkippedError,
  ToolThrewError,
  ToolTimeoutError,
} from "../errors.ts";
import type { ToolExecution } from "../execution.ts";
import type { LoggedCall } from "../logged-call.ts";
import { type StopSignal, stopBehind } from "../stop-run.ts";

/** How a call came out, without when. */
export type Ending = Pick<ToolExecution, "outcome" | "value" | "error" | "settled" | "stop" | "resultLimit" | "brings">;

interface Called {
  call: LoggedCall;
  /** As the model wrote it; another one only where a hook or the reading of its arguments changed it. */
  requested: LoggedCall;
}

/** The record of a call; one whose body never began has no `startedAt` of its own. */
export function executionOf({ call, requested }: Called, ending: Ending, startedAt?: number): ToolExecution {
  const completedAt = now();
  return {
    id: call.id,
    call,
    ...ending,
    ...(call !== requested && { requested }),
    started: startedAt !== undefined,
    startedAt: startedAt ?? completedAt,
    completedAt,
  };
}

/** Unix time in seconds. */
export function now(): number {
  return Date.now() / 1000;
}

/** The ending of a body that ran within its bounds, or was told to stop at them. */
export function bodyEnding(tool: string, timeout: number, settlement: Settlement<unknown>): Ending {
  switch (settlement.end) {
    case "fulfilled":
      return { outcome: "success", value: settlement.value, settled: true };
    case "rejected": {
      const stop = stopBehind(settlement.error);
      return stop ? stoppedRun(stop) : failed(tool, settlement.error);
    }
    case "timeout":
      return stopped("failure", new ToolTimeoutError(tool, timeout, aftermath[settlement.work]), settlement.work);
    case "aborted":
      return stopped("cancelled", new ToolCancelledError(tool, aftermath[settlement.work]), settlement.work);
  }
}

export function failed(tool: string, thrown: unknown): Ending {
  return { outcome: "failure", error: asError(tool, thrown), settled: true };
}

export function denied(tool: string, reason: string, cause: unknown): Ending {
  const options = cause === undefined ? undefined : { cause };
  return { outcome: "denied", error: new ToolDeniedError(tool, reason, options), settled: true };
}

export function blocked(tool: string, hook: string, reason: string, cause?: unknown): Ending {
  const options = cause === undefined ? undefined : { cause };
  return { outcome: "blocked", error: new ToolBlockedError(tool, hook, String(reason), options), settled: true };
}

/** A call that was given up because of an earlier one. */
export function skipped(tool: string, because: string): Ending {
  return { outcome: "skipped", error: new ToolSkippedError(tool, because), settled: true };
}

export function neverBegun(tool: string): Ending {
  return { outcome: "cancelled", error: new ToolCancelledError(tool, " before it began"), settled: true };
}

/** The tool did what it was called for: to end the run. */
function stoppedRun(signal: StopSignal): Ending {
  const told = signal.message === "" ? "" : `: ${signal.message}`;
  return { outcome: "success", value: `The run was stopped${told}`, settled: true, stop: signal };
}

/** What is left of a call that began early, when the model went back on its batch. */
export function voided({ value: _, stop: __, ...execution }: ToolExecution): ToolExecution {
  const error = new ToolCancelledError(execution.call.name, ": its block was given up");
  return { ...execution, outcome: "cancelled", error };
}

function stopped(outcome: "failure" | "cancelled", error: Error, work: keyof typeof aftermath): Ending {
  return { outcome, error, settled: work !== "pending" };
}

/** What the model has to know about work that was told to stop: whether it may have taken effect. */
const aftermath = {
  fulfilled: ", but it completed as it was being stopped",
  rejected: "",
  pending: " and did not stop when told: it may have completed",
};

function asError(tool: string, thrown: unknown): Error {
  return isReadableError(thrown) ? thrown : new ToolThrewError(tool, thrown);
}

/** What a tool throws may be a proxy, or have getters that throw themselves. */
function isReadableError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error && typeof thrown.message === "string";
  } catch {
    return false;
  }
}
