import { abandonable } from "@cogency/async";
import type { AgentEvent, FinishReason, LogEvent, MetricEvent } from "@cogency/protocol";
import { type Batch, canonicalJson, JournalStalledError, type StopSignal } from "@cogency/tools";
import { type CompletedBatch, isLeftOpen, openBatch, runCalls } from "../batch/open-batch.ts";
import { resultEvent } from "../batch/result-event.ts";
import type { StepEvent } from "../drivers/driver.ts";
import { type RunError, runErrorOf, withLater } from "../errors.ts";
import { contentOfRefused } from "../log/held-content.ts";
import type { RunContext } from "../run-context.ts";
import { answerOf, emptyGeneration, type GenerationState, readGeneration } from "./generation.ts";
import { readTrailer } from "./trailer.ts";

export type StepOutcome =
  /** The model's turn is complete, or was cut off. `text` may be empty. */
  | { type: "answered"; text: string; finish: FinishReason }
  /** A batch ran. The model sees its results in the next step, unless `stop` ends the run. */
  | { type: "acted"; stop: StopSignal | undefined; fingerprint: string }
  /** The model wrote neither an answer nor a batch that can run. `text` is what it wrote. */
  | { type: "unusable"; problem: string; text: string }
  /** The run's signal has aborted. */
  | { type: "interrupted" };

/**
 * One step: asks the model with the stored log, reads what it writes, and runs the batch it ends in. The stages are
 * `openGeneration`, `readGeneration`, `startBatch` and `answerCalls`, or `concludeWithoutCalls` if no call ran.
 */
export async function* runStep(context: RunContext): AsyncGenerator<AgentEvent, StepOutcome> {
  const stored = await context.log.load();
  context.meter.start();
  const batch = openBatch(context, stored);
  const state = emptyGeneration();
  const generation = openGeneration(context, stored, state.stopped.signal);
  let failure: RunError | undefined;
  try {
    const unseen = yield* readGeneration(context, generation, batch, state);
    const completing = state.hasExecuted ? startBatch(generation, batch, state) : undefined;
    yield* unseen;
    if (completing && state.calls > 0) return yield* answerCalls(context, batch, state, await completing);
    await completing;
    yield await recordUsage(context, state);
    if (context.signal.aborted) return { type: "interrupted" };
    return yield* concludeWithoutCalls(context, stored, state);
  } catch (error) {
    failure = runErrorOf(error, "driver");
    // A store that has stalled would not store the usage either.
    if (failure.cause instanceof JournalStalledError) context.meter.stop(state.trailer.usage);
    throw failure;
  } finally {
    await afterFailure(failure, async () => {
      await batch.discard();
      await generation.return?.();
      // The run failed, or the consumer left it: the usage so far counts.
      if (context.meter.isRunning) await recordUsage(context, state);
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

/** Ends the step of the meter, and stores its usage with the events that are due. */
async function recordUsage(
  { log, meter }: RunContext,
  { trailer }: GenerationState,
  ...events: LogEvent[]
): Promise<MetricEvent> {
  const metric = meter.stop(trailer.usage);
  const { step, timestamp } = metric;
  // Native blocks belong to the calls, so they come before the results (see `toMessages`).
  await log.append([...trailer.records, ...events, { type: "record", kind: "usage", data: step, timestamp }]);
  return metric;
}

function openGeneration(
  { settings, session, stream, ...context }: RunContext,
  log: readonly LogEvent[],
  stopped: AbortSignal,
): AsyncIterator<StepEvent> {
  const signal = AbortSignal.any([context.signal, stopped]);
  const { driver, system, offered, provider, request, clock } = settings;
  const events = driver.step({
    log,
    system,
    tools: offered,
    provider,
    session,
    request,
    stream,
    signal,
    clock,
  });
  return abandonable(events, signal, abortGrace);
}

/** Milliseconds that a driver may take to end after its signal has aborted. */
const abortGrace = 250;

/** Starts the batch at once, and reads the rest of the generation meanwhile: usage, `finish` and native blocks. */
function startBatch(
  generation: AsyncIterator<StepEvent>,
  batch: Batch,
  { trailer }: GenerationState,
): Promise<CompletedBatch> {
  const reading = readTrailer(generation, trailer);
  const completing = runCalls(batch).then(async (completed) => {
    await reading;
    return completed;
  });
  // `runStep` awaits the promise. If the consumer leaves before that, the rejection is ignored.
  completing.catch(() => {});
  return completing;
}

async function* answerCalls(
  context: RunContext,
  batch: Batch,
  state: GenerationState,
  { executions, results, failure }: CompletedBatch,
): AsyncGenerator<AgentEvent, StepOutcome> {
  if (!failure && isLeftOpen(executions, context.signal)) {
    yield await recordUsage(context, state);
    return { type: "interrupted" };
  }
  const started = executions.filter((execution) => execution.started).length;
  const result = resultEvent(results, started, context.settings.clock());
  context.toolErrors += result.payload.failure_count;
  const metric = await afterFailure(failure, () => {
    return recordUsage(context, state, ...contentOfRefused(executions, result.timestamp), result);
  });
  yield result;
  yield metric;
  if (failure) throw failure;
  context.metadata = batch.metadata;
  if (context.signal.aborted) return { type: "interrupted" };
  const calls = executions.map(({ call: { name, args } }) => ({ name, args }));
  return { type: "acted", stop: batch.stop, fingerprint: canonicalJson(calls) + result.content };
}

/** The outcome of a step in which no call ran. If its text cannot be used, the log says so to the model. */
async function* concludeWithoutCalls(
  { settings: { clock }, log }: RunContext,
  stored: readonly LogEvent[],
  state: GenerationState,
): AsyncGenerator<AgentEvent, StepOutcome> {
  const { refused, hasExecuted, hasEnded, trailer } = state;
  const text = answerOf(state);
  if (refused) return { type: "unusable", problem: refused.error.content, text: refused.text };
  if (hasExecuted) {
    const code = "empty_batch";
    const message = "The block held no calls. Write at least one, or answer in plain text.";
    await log.append([{ type: "record", kind: "rejected", data: { code, message }, timestamp: clock() }]);
    yield { type: "error", code, content: message, timestamp: clock() };
    return { type: "unusable", problem: message, text };
  }
  // After results, `<end>` alone is a complete answer.
  const hasResults = stored.findLast((event) => event.type !== "record")?.type === "result";
  // A model without room for an answer would have none in the next step either.
  const wasCut = trailer.finish === "length" || trailer.finish === "content_filter";
  if (text !== "" || wasCut || (hasEnded && hasResults)) return { type: "answered", text, finish: trailer.finish };

  const content =
    "Your last message held neither an answer nor tool calls. Answer the user in plain text, or call tools.";
  const nudge: AgentEvent & LogEvent = { type: "user", content, origin: "nudge", timestamp: clock() };
  await log.append([nudge]);
  yield { type: "error", code: "empty_turn", content, timestamp: clock() };
  yield nudge;
  return { type: "unusable", problem: content, text };
}
