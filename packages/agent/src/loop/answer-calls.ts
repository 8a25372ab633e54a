import type { AgentEvent, LogEvent } from "@cogency/protocol";
import { canonicalJson, type StopSignal } from "@cogency/tools/host";
import { foundTools, tellFound } from "../batch/found-tools.ts";
import { endingOfWaiting, isLeftOpen, runCalls } from "../batch/open-batch.ts";
import { resultEvent } from "../batch/result-event.ts";
import { afterFailure, runErrorOf } from "../errors.ts";
import { plainDecision } from "../hooks/continuation.ts";
import { contentOfRefused } from "../log/held-content.ts";
import type { RunContext } from "../run-context.ts";
import { decided, goesOn, recordUsage, stoppedBy } from "./end-step.ts";
import type { EndOfReading, Generation } from "./generation.ts";
import { type CompletedStep, type EndingAfter, interrupted, type StepOutcome } from "./step-outcome.ts";

/** Runs the batch at once, while the rest of the answer is read: usage, `finish` and native blocks. */
export async function answerCalls(
  context: RunContext,
  log: readonly LogEvent[],
  generation: Generation,
  { ungiven, stored }: EndOfReading,
  endingAfter: EndingAfter,
): Promise<CompletedStep> {
  const { batch, trailer } = generation.written;
  if (!batch) throw new TypeError("There is no batch to run.");
  if (context.hooks?.has("afterResponse")) {
    await Promise.all([stored, generation.finish()]);
    const judged = await context.hooks.afterResponse(generation.written).catch((error: Error) => error);
    const isUnjudged = judged instanceof Error || context.signal.aborted;
    // The calls do not stay open: `recover` would run them, and does not ask these hooks.
    if (isUnjudged || judged) {
      const failure = judged instanceof Error ? runErrorOf(judged, "hook") : undefined;
      const stop = isUnjudged ? undefined : judged;
      const ended = await afterFailure(failure, () => endBeforeCalls(context, generation, stop, ungiven));
      if (failure) throw failure;
      return ended;
    }
  }
  const completing = Promise.all([runCalls(context, batch, log), generation.finish()]);
  // Awaited below. If the consumer leaves before that, the rejection is ignored.
  completing.catch(() => {});
  await stored;
  await context.outlet.put(...ungiven);
  const [{ executions, results, failure }] = await completing;
  const waiting = failure ? undefined : endingOfWaiting(executions);
  if (waiting || (!failure && isLeftOpen(executions, context.signal))) {
    const ending = context.signal.aborted ? undefined : waiting;
    const { metric } = await recordUsage(context, generation, trailer.records, () => plainDecision(ending));
    await context.outlet.put(metric);
    return ending ? { outcome: { type: "waiting" }, ending } : interrupted;
  }
  const started = executions.filter((execution) => execution.started).length;
  const ids = executions.map(({ id }) => id);
  const result = resultEvent(results, ids, started, context.settings.clock());
  context.toolErrors += result.payload.failure_count;
  context.meter.countCalls(results.length);
  const calls = executions.map(({ call: { name, args } }) => ({ name, args }));
  const outcome: StepOutcome = {
    type: "acted",
    stop: batch.stop,
    fingerprint: canonicalJson(calls) + result.content,
    counts: result.payload,
  };
  const decide = () =>
    failure || context.signal.aborted ? goesOn : decided(context, generation, outcome, executions, endingAfter);
  const found = foundTools(context, log, results);
  const { metric, ending, asked } = await afterFailure(failure, () => {
    // Native blocks belong to the calls, so they come before the results (see `toMessages`).
    const due = [...trailer.records, ...contentOfRefused(executions, result.timestamp), result, ...found.stored];
    return recordUsage(context, generation, due, decide);
  });
  tellFound(context, found);
  await context.outlet.put(result, ...found.given, metric, ...asked);
  if (failure) throw failure;
  return context.signal.aborted && !ending ? interrupted : { outcome, ending };
}

/**
 * A hook has stopped the run before the calls of its response, or could not judge them: none of them runs, and each has a result that
 * says so.
 */
async function endBeforeCalls(
  context: RunContext,
  generation: Generation,
  stop: StopSignal | undefined,
  ungiven: readonly AgentEvent[],
): Promise<CompletedStep> {
  const { clock } = context.settings;
  const { logged, trailer } = generation.written;
  const content = stop ? notRun : notJudged;
  const results = logged.map(({ name }) => ({ tool: name, status: "failure", content }) as const);
  const ids = logged.map(({ id }) => id);
  const result = resultEvent(results, ids, 0, clock());
  context.toolErrors += results.length;
  const due = [...trailer.records, result];
  const decide = () => (stop ? stoppedBy(context, stop) : goesOn);
  const { metric, ending } = await recordUsage(context, generation, due, decide);
  await context.outlet.put(...ungiven, result, metric);
  return { outcome: { type: "interrupted" }, ending };
}

const notRun = "The call did not run: a hook ended the run.";
const notJudged = "The call did not run: the run ended before its hooks had allowed it.";
