import { isPromise } from "@cogency/async";
import type { AgentEvent, FinishReason, LogEvent, MetricEvent, ResultEvent } from "@cogency/protocol";
import { canonicalJson, JournalStalledError, type StopSignal, type ToolExecution } from "@cogency/tools";
import { foundTools, tellFound } from "../batch/found-tools.ts";
import { endingOfWaiting, isLeftOpen, runCalls } from "../batch/open-batch.ts";
import { resultEvent } from "../batch/result-event.ts";
import { type Ending, endingOfStop, runRecords } from "../ending.ts";
import { type RunError, runErrorOf, withLater } from "../errors.ts";
import { type Decision, plainDecision } from "../hooks/continuation.ts";
import { contentOfRefused } from "../log/held-content.ts";
import { ConsumerLeft } from "../outlet.ts";
import type { RunContext } from "../run-context.ts";
import { beginReading } from "./begin-reading.ts";
import { type EndOfReading, Generation, type LastEvents } from "./generation.ts";

export type StepOutcome =
  /** The model's turn is complete, or was cut off. `text` may be empty. */
  | { type: "answered"; text: string; finish: FinishReason }
  /** A batch ran. The model sees its results in the next step, unless `stop` ends the run. */
  | { type: "acted"; stop: StopSignal | undefined; fingerprint: string; counts: ResultEvent["payload"] }
  /** The model wrote neither an answer nor a batch that can run. `text` is what it wrote. `stop` ends the run. */
  | { type: "unusable"; problem: string; text: string; stop?: StopSignal | undefined }
  /** Calls of the batch wait for answers. */
  | { type: "waiting" }
  /** The run's signal has aborted. */
  | { type: "interrupted" }
  /** The request does not fit into what is left of the budget. It was not made, and no step was taken. */
  | { type: "unaffordable"; stop: StopSignal };

/** What a step came to, and the ending of the run if that ends it. The ending is stored in one append with the usage. */
export interface CompletedStep {
  outcome: StepOutcome;
  ending?: Ending | undefined;
}

/** How the run ends after a step with this outcome; undefined if it goes on. */
export type EndingAfter = (outcome: StepOutcome) => Ending | undefined;

/**
 * One step: asks the model with the stored log, reads what it writes, and runs the batch it ends in. The stages are
 * `Generation.read`, then `answerCalls`, or `concludeWithoutCalls` if no call ran.
 */
export async function runStep(context: RunContext, endingAfter: EndingAfter): Promise<CompletedStep> {
  const log = await context.log.load();
  const begun = beginReading(context, log);
  if ("reason" in begun) return { outcome: { type: "unaffordable", stop: begun } };
  context.meter.start();
  context.timeline.step = context.meter.steps;
  context.timeline.tell(() => ({ type: "step_started" }));
  const generation = new Generation(context, log, begun);
  let failure: RunError | undefined;
  try {
    const last = await generation.read();
    if (generation.stopped) return await endBeforeAnswer(context, generation, generation.stopped, last);
    if (generation.hasExecuted && generation.batch)
      return await answerCalls(context, log, generation, last, endingAfter);
    if (generation.hasExecuted) await generation.finish();
    return await concludeWithoutCalls(context, log, generation, last, endingAfter);
  } catch (error) {
    if (error instanceof ConsumerLeft) throw error;
    failure = runErrorOf(error, "driver");
    // A store that has stalled would not store the usage either.
    if (failure.cause instanceof JournalStalledError) endMeasure(context, generation);
    throw failure;
  } finally {
    await afterFailure(failure, async () => {
      await generation.batch?.discard();
      const rest = await generation.close();
      // The run failed, or the consumer left it: the text and the usage so far count.
      if (context.meter.isRunning) await recordUsage(context, generation, [...rest, ...generation.trailer.records]);
    });
  }
}

/** Does work that is due even after the run has failed. Its error does not hide the earlier failure. */
async function afterFailure<T>(failure: RunError | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failure ? withLater(failure, error) : error;
  }
}

const goesOn = plainDecision(undefined);

const interrupted: CompletedStep = { outcome: { type: "interrupted" } };

/**
/**
 * Ends the step of the meter. Stores its usage in one append with the events that are due, and with the run's ending, or with what
 * hooks ask of the model instead. How it goes on is decided once the usage counts.
 */
async function recordUsage(
  context: RunContext,
  generation: Generation,
  due: readonly LogEvent[],
  decide: () => Decision | Promise<Decision> = () => goesOn,
): Promise<Decision & { metric: MetricEvent }> {
  const { log } = context;
  const metric = endMeasure(context, generation);
  const decision = decide();
  const { ending, asked } = isPromise(decision) ? await decision : decision;
  const { step, timestamp } = metric;
  const usage: LogEvent = { type: "record", kind: "usage", data: step, timestamp };
  await log.append([...due, usage, ...(ending ? runRecords(ending, timestamp) : []), ...asked]);
  context.ending = ending;
  for (const { content } of asked) context.timeline.tell(() => ({ type: "notified", content }));
  return { metric, ending, asked };
}

/** Counts what the step has used, in place of what was reserved for it. */
function endMeasure({ meter }: RunContext, { trailer, reservation }: Generation): MetricEvent {
  reservation.release();
  return meter.stop(trailer.usage);
}

/** Runs the batch at once, while the rest of the answer is read: usage, `finish` and native blocks. */
async function answerCalls(
  context: RunContext,
  log: readonly LogEvent[],
  generation: Generation,
  { ungiven, stored }: EndOfReading,
  endingAfter: EndingAfter,
): Promise<CompletedStep> {
  const { batch, trailer } = generation;
  if (!batch) throw new TypeError("There is no batch to run.");
  if (context.hooks?.has("afterResponse")) {
    await Promise.all([stored, generation.finish()]);
    const judged = await context.hooks.afterResponse(generation).catch((error: Error) => error);
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
  context.meter.toolCalls += results.length;
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

/** Ends a step in which no call ran. If its text cannot be used, the log says so to the model. */
async function concludeWithoutCalls(
  context: RunContext,
  log: readonly LogEvent[],
  generation: Generation,
  { unstored, ungiven }: LastEvents,
  endingAfter: EndingAfter,
): Promise<CompletedStep> {
  const { trailer } = generation;
  const stop = context.signal.aborted ? undefined : await context.hooks?.afterResponse(generation);
  const outcome = await fitting(context, outcomeWithoutCalls(context, log, generation));
  const decide = () => {
    if (stop) return stoppedBy(context, stop);
    return context.signal.aborted ? goesOn : decided(context, generation, outcome, [], endingAfter);
  };
  const due = [...unstored, ...trailer.records];
  const { metric, ending, asked } = await recordUsage(context, generation, due, decide);
  await context.outlet.put(...ungiven, metric, ...asked);
  if (context.signal.aborted && !ending) return interrupted;
  if (outcome.type === "unusable" && !ending) await correct(context, generation, outcome.problem);
  return { outcome, ending };
}

/** How it goes on after a step. Hooks are asked, if there are any. */
function decided(
  { hooks }: RunContext,
  generation: Generation,
  outcome: StepOutcome,
  executions: readonly ToolExecution[],
  endingAfter: EndingAfter,
): Decision | Promise<Decision> {
  const ending = endingAfter(outcome);
  return hooks ? hooks.afterStep(outcome, executions, generation, ending) : plainDecision(ending);
}

/** How a run ends that a hook has stopped. */
async function stoppedBy({ hooks }: RunContext, stop: StopSignal): Promise<Decision> {
  const ending = endingOfStop(stop);
  return plainDecision(hooks ? await hooks.stopping(ending) : ending);
}

/** A hook has stopped the run before a request of the step, or the request that it has changed does not fit into the budget. */
async function endBeforeAnswer(
  context: RunContext,
  generation: Generation,
  stop: StopSignal,
  { unstored, ungiven }: LastEvents,
): Promise<CompletedStep> {
  const due = [...unstored, ...generation.trailer.records];
  const { metric, ending } = await recordUsage(context, generation, due, () => stoppedBy(context, stop));
  await context.outlet.put(...ungiven, metric);
  return { outcome: { type: "interrupted" }, ending };
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
  const { logged, trailer } = generation;
  const results = logged.map(
    ({ name }) => ({ tool: name, status: "failure", content: stop ? notRun : notJudged }) as const,
  );
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

/** The outcome of an answer that does not fit what the run wants. */
async function fitting({ settings: { problemOf }, signal }: RunContext, outcome: StepOutcome): Promise<StepOutcome> {
  if (outcome.type !== "answered" || !problemOf || signal.aborted) return outcome;
  const problem = await problemOf(outcome.text);
  return problem === undefined ? outcome : { type: "unusable", problem, text: outcome.text };
}

function outcomeWithoutCalls(
  { settings, mayNudge }: RunContext,
  log: readonly LogEvent[],
  generation: Generation,
): StepOutcome {
  const { nearMiss, refused, hasExecuted, hasEnded, trailer, text, stop } = generation;
  const { finish } = trailer;
  if (refused) return { type: "unusable", problem: refused.error.content, text: refused.text, stop };
  if (stop) return { type: "unusable", problem: stop.message, text, stop };
  if (hasExecuted) return { type: "unusable", problem: emptyBatch, text };
  // An answer that must fit a schema is JSON, and may look like anything.
  if (nearMiss !== undefined && mayNudge && !settings.problemOf) return { type: "unusable", problem: nearMiss, text };
  // After results, `<end>` alone is a complete answer, also after what the loop says about them.
  const hasResults = log.findLast((event) => event.type !== "record" && !isNotice(event))?.type === "result";
  // A model without room for an answer would have none in the next step either.
  const wasCut = finish === "length" || finish === "content_filter";
  if (text !== "" || wasCut || (hasEnded && hasResults)) return { type: "answered", text, finish };
  return { type: "unusable", problem: emptyTurn, text };
}

function isNotice(event: LogEvent): boolean {
  return event.type === "user" && event.origin === "notice";
}

/** Tells the model why its answer could not be used. The log says it already if a block was refused. */
async function correct(context: RunContext, generation: Generation, content: string): Promise<void> {
  const { settings, log, outlet, timeline } = context;
  const { clock } = settings;
  const { refused, hasExecuted, nearMiss, text } = generation;
  if (refused) return;
  if (content === nearMiss) context.mayNudge = false;
  const ofText = content === nearMiss ? "near_miss" : text === "" ? "empty_turn" : "unfit_answer";
  const code = hasExecuted ? "empty_batch" : ofText;
  const error: AgentEvent = { type: "error", code, content, timestamp: clock() };
  if (hasExecuted) {
    await log.append([{ type: "record", kind: "rejected", data: { code, message: content }, timestamp: clock() }]);
    return outlet.put(error);
  }
  const nudge: AgentEvent & LogEvent = { type: "user", content, origin: "nudge", timestamp: clock() };
  await log.append([nudge]);
  timeline.tell(() => ({ type: "notified", content }));
  await outlet.put(error, nudge);
}

const emptyBatch = "The block held no calls. Write at least one, or answer in plain text.";

const emptyTurn =
  "Your last message held neither an answer nor tool calls. Answer the user in plain text, or call tools.";
