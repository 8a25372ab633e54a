import type { LogEvent } from "@cogency/protocol";
import { type AcceptedPlan, type LoggedPlan, type Plans, PlansReader } from "./read-plans.ts";

/** Readers of logs that may grow. */
const readers = new WeakMap<readonly LogEvent[], PlansReader>();

/** The plans of a log. Costs only what the log has grown by since the last call with the same array. */
export function plansOf(log: readonly LogEvent[]): Plans {
  const known = readers.get(log);
  const reader = known && known.count <= log.length ? known : new PlansReader();
  if (reader !== known) readers.set(log, reader);
  for (let at = reader.count; at < log.length; at++) reader.read(log[at] as LogEvent);
  return reader;
}

/**
 * The plan that stands at the end of a log: what the last successful call of `plan` wrote, or the steps of a plan that a person has
 * accepted since. Undefined if there is none. It is the same for every driver, and also after a compaction, a fork or a restart.
 */
export function planOf(log: readonly LogEvent[]): LoggedPlan | undefined {
  return plansOf(log).plan;
}

/** The last plan of a log that a person has accepted, whole; undefined if there is none. */
export function acceptedPlanOf(log: readonly LogEvent[]): AcceptedPlan | undefined {
  return plansOf(log).accepted;
}
