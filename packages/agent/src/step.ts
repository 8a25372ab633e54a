import type { AgentEvent, FinishReason, LogEvent, MetricEvent } from "@cogency/protocol";
import { type Batch, toToolResult } from "@cogency/tools";
import { abandonable } from "./abandonable.ts";
import type { StepEvent } from "./driver.ts";
import { runErrorOf } from "./errors.ts";
import { readGeneration, type Written } from "./generation.ts";
import { journal } from "./journal.ts";
import { type Report, remaining } from "./report.ts";
import { resultEvent } from "./result-event.ts";
import type { RunContext } from "./run-context.ts";

export type StepOutcome =
  /** The model's turn is complete. */
  | { type: "answered"; text: string; finish: FinishReason }
  /** A batch ran; the model has to see its results. */
  | { type: "acted" }
  /** Nothing of what the model wrote can be used. */
  | { type: "unusable"; problem: string }
  | { type: "interrupted" };

/** One step: ask the model with what is stored, read what it writes, run the batch it ends in. */
export async function* runStep(context: RunContext): AsyncGenerator<AgentEvent, StepOutcome> {
  const stored = await context.log.load();
  context.meter.start();
  const batch = openBatch(context, stored);
  const generation = openGeneration(context, stored);
  try {
    const written = yield* readGeneration(context, generation, batch);
    if (written.hasExecuted && written.calls > 0) {
      return yield* runBatch(context, generation, batch, written.report);
    }
    const { usage } = written.hasExecuted ? await remaining(generation, written.report) : written.report;
    const metric = context.meter.stop(usage);
    await context.log.append([usageRecord(metric)]);
    yield metric;
    return context.signal.aborted ? { type: "interrupted" } : yield* judge(context, stored, written);
  } finally {
    await batch.discard();
    await generation.return?.();
  }
}

function openBatch(context: RunContext, events: readonly LogEvent[]): Batch {
  const { settings, log, meter, conversation, user, signal, metadata } = context;
  const state = { events, metadata, step: meter.steps, usage: meter.total };
  return settings.executor.open(
    { conversation, user, state, signal, journal: journal(log, settings.clock) },
    settings.driver.batch,
  );
}

function openGeneration({ settings, stream, signal }: RunContext, log: readonly LogEvent[]): AsyncIterator<StepEvent> {
  const { driver, system, registry, provider, request } = settings;
  const events = driver.step({ log, system, tools: registry.specs(), provider, request, stream, signal });
  return abandonable(events, signal, patience);
}

/** How long an aborted driver may take to end, in milliseconds. */
const patience = 250;

/** While the batch runs, the generation gives what is left of its report. */
async function* runBatch(
  { settings: { clock }, log, meter, signal }: RunContext,
  generation: AsyncIterator<StepEvent>,
  batch: Batch,
  report: Report,
): AsyncGenerator<AgentEvent, StepOutcome> {
  const rest = remaining(generation, report);
  const executions = await batch.run().catch((error) => {
    throw runErrorOf(error, "store");
  });
  const { usage } = await rest;
  const started = executions.filter((execution) => execution.started).length;
  const result = resultEvent(executions.map(toToolResult), started, clock());
  const metric = meter.stop(usage);
  await log.append([result, usageRecord(metric)]);
  yield result;
  yield metric;
  return { type: signal.aborted ? "interrupted" : "acted" };
}

/** What a generation that ran nothing amounts to. What cannot be used is told to the model. */
async function* judge(
  { settings: { clock }, log }: RunContext,
  stored: readonly LogEvent[],
  { answer, problem, hasExecuted, hasEnded, report: { finish } }: Written,
): AsyncGenerator<AgentEvent, StepOutcome> {
  if (problem !== undefined) return { type: "unusable", problem };
  if (hasExecuted) {
    const [code, message] = ["empty_batch", "The block held no calls. Write at least one, or answer in plain text."];
    await log.append([{ type: "record", kind: "rejected", data: { code, message }, timestamp: clock() }]);
    yield { type: "error", code, content: message, timestamp: clock() };
    return { type: "unusable", problem: message };
  }
  // After results the model may have nothing to add, if it says so.
  const hasResults = stored.findLast((event) => event.type !== "record")?.type === "result";
  if (answer.length > 0 || (hasEnded && hasResults)) return { type: "answered", text: answer.join("\n\n"), finish };

  const content =
    "Your last message held neither an answer nor tool calls. Answer the user in plain text, or call tools.";
  const nudge: AgentEvent & LogEvent = { type: "user", content, origin: "nudge", timestamp: clock() };
  await log.append([nudge]);
  yield { type: "error", code: "empty_turn", content, timestamp: clock() };
  yield nudge;
  return { type: "unusable", problem: content };
}

function usageRecord({ step, timestamp }: MetricEvent): LogEvent {
  return { type: "record", kind: "usage", data: { ...step }, timestamp };
}
