import type { RecordEvent, UserEvent } from "@cogency/protocol";
import type { StopReason } from "@cogency/tools/host";
import { endingOfStop, type RunEnding } from "../ending.ts";
import { wayOn } from "../loop/ledger.ts";

/** How it goes on after a step. */
export interface Decision {
  /** How the run ends; undefined if it goes on. */
  ending: RunEnding | undefined;
  /** What hooks ask of the model, to be stored after the usage of the step. */
  asked: readonly UserEvent[];
  /** What that holds. */
  held: readonly RecordEvent[];
}

/** The decision where no hook has asked for anything. */
export function plainDecision(ending: RunEnding | undefined): Decision {
  return { ending, asked: [], held: [] };
}

/** Reasons against which a hook may ask for another step. Every other one stands: a limit, a person, an error. */
const soft: ReadonlySet<StopReason> = new Set(["completed", "finish_reason", "stop_requested", "unknown"]);

/** Whether no hook may ask for another step. */
export function isFinal({ stop }: RunEnding): boolean {
  return stop !== undefined && !soft.has(stop.reason);
}

/** The ending of a run whose hooks have asked for more steps than they may. */
export function endingOfContinuations(limit: number): RunEnding {
  const message = `Hooks asked for another step more often than they may (${limit}/${limit}). ${wayOn("budget.continuations")}`;
  return endingOfStop({ reason: "retry_limit", message, context: { continuations: limit } });
}
