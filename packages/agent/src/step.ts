import {
  type AgentEvent,
  callOf,
  createSettler,
  type FinishReason,
  isPersisted,
  type JsonObject,
  type LogEvent,
  type Usage,
} from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import { type Journal, toToolResult } from "@cogency/tools";
import { abandonable } from "./abandonable.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { StepEvent } from "./driver.ts";
import { runErrorOf } from "./errors.ts";
import type { Meter } from "./meter.ts";
import { resultEvent } from "./result-event.ts";
import type { Settings } from "./settings.ts";

/** One run as its steps see it. */
export interface RunContext {
  readonly settings: Settings;
  readonly log: ConversationLog;
  readonly meter: Meter;
  readonly conversation: string;
  readonly user: string | undefined;
  readonly stream: "token" | "event" | null;
  readonly signal: AbortSignal;
  readonly metadata: JsonObject;
}

export type StepOutcome =
  /** The model's turn is complete. */
  | { type: "answered"; text: string; finish: FinishReason }
  /** A batch ran; the model has to see its results. */
  | { type: "acted" }
  /** Nothing of what the model wrote can be used. */
  | { type: "unusable"; problem: string }
  | { type: "interrupted" };

/** How long an aborted driver may take to end, in milliseconds. */
const patience = 250;

/**
 * One step: assemble the request from the log, stream the answer, run the batch it ends in. Every event is stored
 * before anyone acts on it or sees it settled.
 */
export async function* runStep(context: RunContext): AsyncGenerator<AgentEvent, StepOutcome> {
  const { settings, log, meter, stream, signal } = context;
  const { clock } = settings;
  const stored: readonly LogEvent[] = await log.load();
  meter.start();

  const batch = settings.executor.open(
    {
      conversation: context.conversation,
      user: context.user,
      state: { events: stored, metadata: context.metadata, step: meter.steps, usage: meter.total },
      signal,
      journal: journal(log, clock),
    },
    settings.driver.batch,
  );
  const generation = abandonable(
    settings.driver.step({
      log: stored,
      system: settings.system,
      tools: settings.registry.specs(),
      provider: settings.provider,
      request: settings.request,
      stream,
      signal,
    }),
    signal,
    patience,
  );

  const settler = createSettler();
  const store = async (settled: AgentEvent[]) => {
    const events = settled.filter((event): event is AgentEvent & LogEvent => isPersisted(event.type));
    if (events.length > 0) await log.append(events);
    return settled;
  };
  const answer: string[] = [];
  let calls = 0;
  let hasExecuted = false;
  let hasEnded = false;
  let problem: string | undefined;
  let report: Report = { usage: zeroUsage, finish: "other" };

  try {
    for (;;) {
      const next = await generation.next().catch((error) => {
        throw runErrorOf(error, isProviderError(error) ? "provider" : "driver");
      });
      if (next.done) break;
      let event: AgentEvent;
      switch (next.value.type) {
        case "usage":
        case "finish":
          report = reported(report, next.value);
          continue;
        case "record":
          await log.append([next.value]);
          continue;
        case "refused": {
          // A block that broke off because the run was cancelled is nobody's mistake.
          if (signal.aborted) continue;
          const { error, text } = next.value;
          const { code, content: message, position } = error;
          const data = { code, message, text, ...(position === undefined ? {} : { position }) };
          const settled = await store(settler.write(error));
          await log.append([{ type: "record", kind: "rejected", data, timestamp: clock() }]);
          problem = message;
          if (stream === "token") yield error;
          else yield* settled;
          continue;
        }
        case "call":
          calls++;
          event = { ...next.value, id: batch.add(callOf(next.value)).id };
          break;
        default:
          event = next.value;
      }
      const settled = await store(settler.write(event));
      answer.push(...responses(settled));
      if (event.type === "end") hasEnded = true;
      if (event.type === "execute") hasExecuted = true;
      if (stream === "token") yield event;
      else yield* settled;
      if (hasExecuted) break;
    }

    const settled = await store(settler.end());
    answer.push(...responses(settled));
    if (stream !== "token") yield* settled;

    if (hasExecuted && calls > 0) {
      const rest = remaining(generation, report);
      const executions = await batch.run().catch((error) => {
        throw runErrorOf(error, "store");
      });
      report = await rest;
      const started = executions.filter((execution) => execution.started).length;
      const result = resultEvent(executions.map(toToolResult), started, clock());
      const metric = meter.stop(report.usage);
      await log.append([result, usageRecord(metric)]);
      yield result;
      yield metric;
      return signal.aborted ? { type: "interrupted" } : { type: "acted" };
    }

    if (hasExecuted) report = await remaining(generation, report);
    const metric = meter.stop(report.usage);
    await log.append([usageRecord(metric)]);
    yield metric;
  } finally {
    // Also when the consumer left or the driver failed: what was said so far is kept, what was announced is not run.
    await batch.discard();
    await generation.return?.();
    await store(settler.end());
  }

  if (signal.aborted) return { type: "interrupted" };
  if (problem !== undefined) return { type: "unusable", problem };
  if (answer.length > 0) return { type: "answered", text: answer.join("\n\n"), finish: report.finish };
  // After results the model may have nothing to add, if it says so.
  const hasResults = stored.findLast((event) => event.type !== "record")?.type === "result";
  if (hasEnded && hasResults) return { type: "answered", text: "", finish: report.finish };

  const empty = hasExecuted ? emptyBatch : emptyTurn;
  if (hasExecuted) {
    const data = { code: empty.code, message: empty.message };
    await log.append([{ type: "record", kind: "rejected", data, timestamp: clock() }]);
  }
  yield { type: "error", code: empty.code, content: empty.message, timestamp: clock() };
  if (!hasExecuted) {
    const nudge: AgentEvent = { type: "user", content: empty.message, origin: "nudge", timestamp: clock() };
    await store([nudge]);
    yield nudge;
  }
  return { type: "unusable", problem: empty.message };
}

const emptyBatch = {
  code: "empty_batch",
  message: "The block held no calls. Write at least one call, or answer the user in plain text.",
};

const emptyTurn = {
  code: "empty_turn",
  message: "Your last message held neither an answer nor tool calls. Answer the user in plain text, or call tools.",
};

/** What a generation tells about itself, at any time. */
interface Report {
  usage: Usage;
  finish: FinishReason;
}

function reported(report: Report, event: StepEvent): Report {
  if (event.type === "usage") return { ...report, usage: event.usage };
  if (event.type === "finish") return { ...report, finish: event.reason };
  return report;
}

/** After `execute` the generation has only its report to give, while the batch runs. */
async function remaining(generation: AsyncIterator<StepEvent>, report: Report): Promise<Report> {
  try {
    let last = report;
    for (;;) {
      const next = await generation.next();
      if (next.done) return last;
      last = reported(last, next.value);
    }
  } catch {
    // The batch is complete: a connection that fails now costs nothing but the exact usage.
    return report;
  }
}

function responses(settled: AgentEvent[]): string[] {
  return settled.flatMap((event) => (event.type === "respond" ? [event.content] : []));
}

/** Makes each call durable as it happens (protocol.md §3, `started` and `finished`). */
function journal(log: ConversationLog, clock: () => number): Journal {
  return {
    started: ({ id }) => log.append([{ type: "record", kind: "started", data: { id }, timestamp: clock() }]),
    finished: (execution) => {
      const data = { id: execution.id, result: { ...toToolResult(execution) } };
      return log.append([{ type: "record", kind: "finished", data, timestamp: clock() }]);
    },
  };
}

function usageRecord({ step, timestamp }: { step: Usage; timestamp: number }): LogEvent {
  return { type: "record", kind: "usage", data: { ...step }, timestamp };
}

function isProviderError(error: unknown): boolean {
  return error instanceof Error && error.name === "ProviderError";
}
