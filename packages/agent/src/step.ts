import type { AgentEvent, FinishReason, LogEvent, MetricEvent } from "@cogency/protocol";
import { type Batch, canonicalJson, JournalStalledError, type StopSignal } from "@cogency/tools";
import { abandonable } from "./abandonable.ts";
import { isLeftOpen, type Outcome, openBatch, runCalls } from "./batch.ts";
import type { StepEvent } from "./driver.ts";
import { type RunError, runErrorOf, withLater } from "./errors.ts";
import { answerOf, nothingWritten, readGeneration, type Written } from "./generation.ts";
import { contentOfRefused } from "./held-content.ts";
import { readReport } from "./report.ts";
import { resultEvent } from "./result-event.ts";
import type { RunContext } from "./run-context.ts";

export type StepOutcome =
  /** The model's turn is complete, or was cut off; then `text` may be empty. */
  | { type: "answered"; text: string; finish: FinishReason }
  /** A batch ran; the model has to see its results, unless a tool or a hook wants the run to end. */
  | { type: "acted"; stop: StopSignal | undefined; fingerprint: string }
  /** Nothing of what the model wrote, which is `text`, can be used. */
  | { type: "unusable"; problem: string; text: string }
  /** The run's signal has aborted. */
  | { type: "interrupted" };

/** One step: ask the model with what is stored, read what it writes, run the batch it ends in. */
export async function* runStep(context: RunContext): AsyncGenerator<AgentEvent, StepOutcome> {
  const stored = await context.log.load();
  context.meter.start();
  const batch = openBatch(context, stored);
  const written = nothingWritten();
  const generation = openGeneration(context, stored, written.stopped.signal);
  let failure: RunError | undefined;
  try {
    const unseen = yield* readGeneration(context, generation, batch, written);
    const acting = written.hasExecuted ? act(generation, batch, written) : undefined;
    yield* unseen;
    if (acting && written.calls > 0) return yield* answerCalls(context, batch, written, await acting);
    await acting;
    yield await account(context, written);
    if (context.signal.aborted) return { type: "interrupted" };
    return yield* judge(context, stored, written);
  } catch (error) {
    failure = runErrorOf(error, "driver");
    // A store that has stalled would not take the account either.
    if (failure.cause instanceof JournalStalledError) context.meter.stop(written.report.usage);
    throw failure;
  } finally {
    await afterFailure(failure, async () => {
      await batch.discard();
      await generation.return?.();
      // The run failed or was left: what it has used so far counts all the same.
      if (context.meter.isRunning) await account(context, written);
    });
  }
}

/** Work that must be done also after the run has failed. Its own failure does not hide that one. */
async function afterFailure<T>(failure: RunError | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failure ? withLater(failure, error) : error;
  }
}

/** End the step's account and store it. */
async function account({ log, meter }: RunContext, { report }: Written, ...events: LogEvent[]): Promise<MetricEvent> {
  const metric = meter.stop(report.usage);
  const { step, timestamp } = metric;
  // The provider's own blocks belong to the calls: before their results (see `toMessages`).
  await log.append([...report.records, ...events, { type: "record", kind: "usage", data: step, timestamp }]);
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
  return abandonable(events, signal, patience);
}

/** How long an aborted driver may take to end, in milliseconds. */
const patience = 250;

/** Runs the batch; meanwhile the generation gives what is left of its report. Begins at once, whoever waits for it. */
function act(generation: AsyncIterator<StepEvent>, batch: Batch, { report }: Written): Promise<Outcome> {
  const reading = readReport(generation, report);
  const acting = runCalls(batch).then(async (outcome) => {
    await reading;
    return outcome;
  });
  // Told to whoever waits for it, unless the consumer has left by then.
  acting.catch(() => {});
  return acting;
}

async function* answerCalls(
  context: RunContext,
  batch: Batch,
  written: Written,
  { executions, results, failure }: Outcome,
): AsyncGenerator<AgentEvent, StepOutcome> {
  if (!failure && isLeftOpen(executions, context.signal)) {
    yield await account(context, written);
    return { type: "interrupted" };
  }
  const started = executions.filter((execution) => execution.started).length;
  const result = resultEvent(results, started, context.settings.clock());
  context.toolErrors += result.payload.failure_count;
  const metric = await afterFailure(failure, () => {
    return account(context, written, ...contentOfRefused(executions, result.timestamp), result);
  });
  yield result;
  yield metric;
  if (failure) throw failure;
  context.metadata = batch.metadata;
  if (context.signal.aborted) return { type: "interrupted" };
  const calls = executions.map(({ call: { name, args } }) => ({ name, args }));
  return { type: "acted", stop: batch.stop, fingerprint: canonicalJson(calls) + result.content };
}

/** What a generation that ran nothing amounts to. What cannot be used is told to the model. */
async function* judge(
  { settings: { clock }, log }: RunContext,
  stored: readonly LogEvent[],
  written: Written,
): AsyncGenerator<AgentEvent, StepOutcome> {
  const { refused, hasExecuted, hasEnded, report } = written;
  const text = answerOf(written);
  if (refused) return { type: "unusable", problem: refused.error.content, text: refused.text };
  if (hasExecuted) {
    const code = "empty_batch";
    const message = "The block held no calls. Write at least one, or answer in plain text.";
    await log.append([{ type: "record", kind: "rejected", data: { code, message }, timestamp: clock() }]);
    yield { type: "error", code, content: message, timestamp: clock() };
    return { type: "unusable", problem: message, text };
  }
  // After results the model may have nothing to add, if it says so.
  const hasResults = stored.findLast((event) => event.type !== "record")?.type === "result";
  // One that had no room left for an answer has none the next time either.
  const wasCut = report.finish === "length" || report.finish === "content_filter";
  if (text !== "" || wasCut || (hasEnded && hasResults)) return { type: "answered", text, finish: report.finish };

  const content =
    "Your last message held neither an answer nor tool calls. Answer the user in plain text, or call tools.";
  const nudge: AgentEvent & LogEvent = { type: "user", content, origin: "nudge", timestamp: clock() };
  await log.append([nudge]);
  yield { type: "error", code: "empty_turn", content, timestamp: clock() };
  yield nudge;
  return { type: "unusable", problem: content, text };
}
