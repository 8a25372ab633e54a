import { isToolError } from "@cogency/tools";
import type { StopSignal } from "@cogency/tools/host";
import { afterFailure, type RunError, runErrorOf } from "../errors.ts";
import { ConsumerLeft } from "../outlet.ts";
import type { RunContext } from "../run-context.ts";
import { answerCalls } from "./answer-calls.ts";
import { beginReading } from "./begin-reading.ts";
import { concludeWithoutCalls } from "./conclude-without-calls.ts";
import { endMeasure, recordUsage, stoppedBy } from "./end-step.ts";
import { Generation } from "./generation.ts";
import type { CompletedStep, EndingAfter } from "./step-outcome.ts";
import type { LastEvents } from "./written.ts";

/**
 * One step: asks the model with the stored log, reads what it writes, and runs the batch it ends in. The stages are
 * `Generation.read`, then `answerCalls`, or `concludeWithoutCalls` if no call ran.
 *
 * @param isRepeat whether it takes the place of the last step, whose request failed
 */
export async function runStep(
  context: RunContext,
  endingAfter: EndingAfter,
  isRepeat: boolean,
): Promise<CompletedStep> {
  const log = await context.log.load();
  const begun = beginReading(context, log, isRepeat);
  if ("reason" in begun) return { outcome: { type: "unaffordable", stop: begun } };
  context.meter.start(isRepeat);
  context.timeline.step = context.meter.steps;
  context.timeline.tell(() => ({ type: "step_started" }));
  const generation = new Generation(context, log, begun);
  let failure: RunError | undefined;
  try {
    const last = await generation.read();
    if (generation.stopped) return await endBeforeAnswer(context, generation, generation.stopped, last);
    if (generation.written.hasExecuted && generation.written.batch)
      return await answerCalls(context, log, generation, last, endingAfter);
    if (generation.written.hasExecuted) await generation.finish();
    return await concludeWithoutCalls(context, log, generation, last, endingAfter);
  } catch (error) {
    if (error instanceof ConsumerLeft) throw error;
    failure = runErrorOf(error, "driver");
    // A store that has stalled would not store the usage either.
    if (isToolError(failure.cause, "journal_stalled")) endMeasure(context, generation);
    throw failure;
  } finally {
    await afterFailure(failure, async () => {
      await generation.written.batch?.discard();
      const rest = await generation.close();
      // The run failed, or the consumer left it: the text and the usage so far count.
      if (!context.meter.isRunning) return;
      const due = [...rest, ...generation.written.trailer.records];
      // A request that came to nothing leaves nothing, unless the log says what was asked: it may be made again for a day.
      if (failure && !context.requests && due.length === 0 && generation.written.isNothing)
        endMeasure(context, generation);
      else await recordUsage(context, generation, due);
    });
  }
}

/** A hook has stopped the run before a request of the step, or the request that it has changed does not fit into the budget. */
async function endBeforeAnswer(
  context: RunContext,
  generation: Generation,
  stop: StopSignal,
  { unstored, ungiven }: LastEvents,
): Promise<CompletedStep> {
  const due = [...unstored, ...generation.written.trailer.records];
  const { metric, ending } = await recordUsage(context, generation, due, () => stoppedBy(context, stop));
  await context.outlet.put(...ungiven, metric);
  return { outcome: { type: "interrupted" }, ending };
}
