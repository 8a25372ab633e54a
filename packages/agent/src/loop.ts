import { type AgentEvent, type CancelledEvent, CONTINUE, type LogEvent } from "@cogency/protocol";
import { isForcedStop, type StopSignal } from "@cogency/tools";
import { RunError } from "./errors.ts";
import { openCalls, owedResult } from "./open-calls.ts";
import { resumeBatch } from "./resume-batch.ts";
import type { RunResult } from "./run.ts";
import type { RunContext } from "./run-context.ts";
import { runStep } from "./step.ts";

/**
 * The loop: prompt, then steps until the model has answered, the budget is used up, or somebody ends it.
 *
 * @throws RunError for what the run does not survive
 */
export async function* runLoop(context: RunContext, prompt: string | undefined): AsyncGenerator<AgentEvent, RunResult> {
  const { settings, meter, signal } = context;
  const { maxSteps, maxFailures, maxRepeats, clock } = settings;
  let failures = 0;
  let repeats = 0;
  let lastBatch: string | undefined;
  let said = "";
  let isOver = false;

  const over = (status: "completed" | "stopped", text: string, stop?: StopSignal): RunResult => {
    isOver = true;
    return {
      status,
      text,
      ...meter.tally,
      toolErrors: context.toolErrors,
      ...(stop && { stop }),
    };
  };

  try {
    const stop = yield* opening(context, prompt);
    if (stop) return over(isForcedStop(stop) ? "stopped" : "completed", "", stop);
    for (;;) {
      if (signal.aborted) break;
      if (meter.steps === maxSteps) {
        const message = `The run used up its steps (${maxSteps}/${maxSteps}) before the model had answered.`;
        return over("stopped", "", { reason: "steps_limit", message, context: { currentSteps: maxSteps, maxSteps } });
      }
      const outcome = yield* runStep(context);
      if (outcome.type === "interrupted") {
        said = outcome.text;
        break;
      }
      if (outcome.type === "answered") {
        const { text, finish } = outcome;
        if (finish !== "length" && finish !== "content_filter") return over("completed", text);
        const why = finish === "length" ? "reached the output limit" : "was stopped by the provider's content filter";
        const message = `The answer is not complete: it ${why}.`;
        return over("completed", text, { reason: "finish_reason", message, context: { finish } });
      }
      if (outcome.type === "acted") {
        const { text, stop, fingerprint } = outcome;
        if (stop) return over(isForcedStop(stop) ? "stopped" : "completed", text, stop);
        repeats = fingerprint === lastBatch ? repeats + 1 : 1;
        lastBatch = fingerprint;
        if (repeats === maxRepeats) {
          const message = `The model made the same calls with the same results ${maxRepeats} times in a row.`;
          yield { type: "error", code: "repeated_batch", content: message, timestamp: clock() };
          return over("stopped", text, { reason: "retry_limit", message, context: { repeats: maxRepeats } });
        }
        failures = 0;
      } else if (++failures === maxFailures) {
        throw new RunError(
          "no_progress",
          `The model wrote nothing that can be used ${failures} times in a row. The last time: ${outcome.problem}`,
          { text: outcome.text },
        );
      }
    }

    const cancelled = await cancel(context);
    isOver = true;
    yield { type: "interrupt", timestamp: clock() };
    yield cancelled;
    return over("stopped", said, { reason: "user_requested", message: "The run was cancelled.", context: {} });
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    // The consumer left in the middle.
    if (!isOver) await cancel(context);
  }
}

/** Calls that were stored and will not run get their results, then the log says that the run was cancelled. */
async function cancel({ settings, log }: RunContext): Promise<CancelledEvent> {
  const cancelled: CancelledEvent = { type: "cancelled", timestamp: settings.clock() };
  const open = openCalls(await log.load(), settings.executor);
  await log.append(open ? [owedResult(open, settings.clock()), cancelled] : [cancelled]);
  return cancelled;
}

/** Close what an earlier run left open, then say what this one is about. */
async function* opening(
  context: RunContext,
  prompt: string | undefined,
): AsyncGenerator<AgentEvent, StopSignal | undefined> {
  const { settings, log } = context;
  const { clock, executor } = settings;
  const stored = await log.load();
  if (prompt === undefined && stored.length === 0) {
    throw new RunError("nothing_to_recover", "The conversation has no events; start it with run().");
  }
  const open = openCalls(stored, executor);
  if (open && prompt === undefined) return yield* resumeBatch(context, open);
  if (open) {
    const owed = owedResult(open, clock());
    await log.append([owed]);
    yield owed;
  }
  const last = stored.findLast((event) => event.type !== "record")?.type;
  if (prompt === undefined && (last === "user" || last === "result")) return undefined;
  const user: AgentEvent & LogEvent = {
    type: "user",
    content: prompt ?? CONTINUE,
    ...(prompt === undefined && { origin: "recovery" as const }),
    timestamp: clock(),
  };
  await log.append([user]);
  yield user;
  return undefined;
}
