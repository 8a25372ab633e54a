import { isPromise } from "@cogency/async";
import type { LogEvent, MetricEvent } from "@cogency/protocol";
import type { ToolExecution } from "@cogency/tools";
import type { StopSignal } from "@cogency/tools/host";
import { endingOfStop, runRecords } from "../ending.ts";
import { type Decision, plainDecision } from "../hooks/continuation.ts";
import type { RunContext } from "../run-context.ts";
import type { Generation } from "./generation.ts";
import type { EndingAfter, StepOutcome } from "./step-outcome.ts";

/**
 * Ends the step of the meter. Stores its usage in one append with the events that are due, and with the run's ending, or with what
 * hooks ask of the model instead. How it goes on is decided once the usage counts.
 */
export async function recordUsage(
  context: RunContext,
  generation: Generation,
  due: readonly LogEvent[],
  decide: () => Decision | Promise<Decision> = () => goesOn,
): Promise<Decision & { metric: MetricEvent }> {
  const { log } = context;
  const metric = endMeasure(context, generation);
  const decision = decide();
  const { ending, asked, held } = isPromise(decision) ? await decision : decision;
  const { step, timestamp } = metric;
  const usage: LogEvent = { type: "record", kind: "usage", data: step, timestamp };
  await log.append([...due, usage, ...(ending ? runRecords(ending, timestamp) : []), ...asked, ...held]);
  context.ending = ending;
  for (const { content } of asked) context.timeline.tell(() => ({ type: "notified", content }));
  return { metric, ending, asked, held };
}

/** Counts what the step has used, in place of what was reserved for it. */
export function endMeasure({ meter }: RunContext, { written, reservation }: Generation): MetricEvent {
  reservation.release();
  return meter.stop(written.trailer.usage, written.inputs);
}

/** How it goes on after a step. Hooks are asked, if there are any. */
export function decided(
  { hooks }: RunContext,
  generation: Generation,
  outcome: StepOutcome,
  executions: readonly ToolExecution[],
  endingAfter: EndingAfter,
): Decision | Promise<Decision> {
  const ending = endingAfter(outcome);
  return hooks ? hooks.afterStep(outcome, executions, generation.written, ending) : plainDecision(ending);
}

/** How a run ends that a hook has stopped. */
export async function stoppedBy({ hooks }: RunContext, stop: StopSignal): Promise<Decision> {
  const ending = endingOfStop(stop);
  return plainDecision(hooks ? await hooks.stopping(ending) : ending);
}

/** The run goes on. */
export const goesOn = plainDecision(undefined);
