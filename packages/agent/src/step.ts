import type { AgentEvent, FinishReason, LogEvent, MetricEvent } from "@cogency/protocol";
import { type Batch, canonicalJson, JournalStalledError, type StopSignal } from "@cogency/tools";
import { abandonable } from "./abandonable.ts";
import { openBatch, runCalls } from "./batch.ts";
import type { StepEvent } from "./driver.ts";
import { RunError } from "./errors.ts";
import { nothingWritten, readGeneration, type Written } from "./generation.ts";
import { remaining } from "./report.ts";
import { resultEvent } from "./result-event.ts";
import type { RunContext } from "./run-context.ts";

export type StepOutcome =
  /** The model's turn is complete. */
  | { type: "answered"; text: string; finish: FinishReason }
  /** A batch ran; the model has to see its results, unless a tool or a hook wants the run to end. */
  | { type: "acted"; text: string; stop: StopSignal | undefined; fingerprint: string }
  /** Nothing of what the model wrote, which is `text`, can be used. */
  | { type: "unusable"; problem: string; text: string }
  /** The run was cancelled; `text` is the answer so far. */
  | { type: "interrupted"; text: string };

/** One step: ask the model with what is stored, read what it writes, run the batch it ends in. */
export async function* runStep(context: RunContext): AsyncGenerator<AgentEvent, StepOutcome> {
  const stored = await context.log.load();
  context.meter.start();
  const batch = openBatch(context, stored);
  const generation = openGeneration(context, stored);
  const written = nothingWritten();
  try {
    yield* readGeneration(context, generation, batch, written);
    if (written.hasExecuted && written.calls > 0) return yield* runBatch(context, generation, batch, written);
    if (written.hasExecuted) written.report = await remaining(generation, written.report);
    yield await account(context, written);
    if (context.signal.aborted) return { type: "interrupted", text: answerOf(written) };
    return yield* judge(context, stored, written);
  } catch (error) {
    // A store that has stalled would not take the account either.
    if (error instanceof RunError && error.cause instanceof JournalStalledError)
      context.meter.stop(written.report.usage);
    throw error;
  } finally {
    await batch.discard();
    await generation.return?.();
    // The run failed or was left: what it has used so far counts all the same.
    if (context.meter.isRunning) await account(context, written);
  }
}

/** End the step's account and store it. */
async function account({ log, meter }: RunContext, { report }: Written, ...events: LogEvent[]): Promise<MetricEvent> {
  const metric = meter.stop(report.usage);
  const { step, timestamp } = metric;
  await log.append([...events, { type: "record", kind: "usage", data: step, timestamp }]);
  return metric;
}

function openGeneration(
  { settings, session, stream, signal }: RunContext,
  log: readonly LogEvent[],
): AsyncIterator<StepEvent> {
  const { driver, system, registry, provider, request, clock } = settings;
  const events = driver.step({
    log,
    system,
    tools: registry.specs(),
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

/** While the batch runs, the generation gives what is left of its report. */
async function* runBatch(
  context: RunContext,
  generation: AsyncIterator<StepEvent>,
  batch: Batch,
  written: Written,
): AsyncGenerator<AgentEvent, StepOutcome> {
  const rest = remaining(generation, written.report);
  const { executions, results, failure } = await runCalls(batch);
  written.report = await rest;
  const started = executions.filter((execution) => execution.started).length;
  const result = resultEvent(results, started, context.settings.clock());
  context.toolErrors += result.payload.failure_count;
  const metric = await account(context, written, result);
  yield result;
  yield metric;
  if (failure) throw failure;
  context.metadata = batch.metadata;
  const text = answerOf(written);
  if (context.signal.aborted) return { type: "interrupted", text };
  const calls = executions.map(({ call: { name, args } }) => ({ name, args }));
  return { type: "acted", text, stop: batch.stop, fingerprint: canonicalJson(calls) + result.content };
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
  if (text !== "" || (hasEnded && hasResults)) return { type: "answered", text, finish: report.finish };

  const content =
    "Your last message held neither an answer nor tool calls. Answer the user in plain text, or call tools.";
  const nudge: AgentEvent & LogEvent = { type: "user", content, origin: "nudge", timestamp: clock() };
  await log.append([nudge]);
  yield { type: "error", code: "empty_turn", content, timestamp: clock() };
  yield nudge;
  return { type: "unusable", problem: content, text };
}

function answerOf({ answer }: Written): string {
  return answer.join("\n\n");
}
