import {
  type AgentEvent,
  type CancelledEvent,
  CONTINUE,
  type LogEvent,
  missingResults,
  type ResultEvent,
} from "@cogency/protocol";
import { RunError } from "./errors.ts";
import { resultEvent } from "./result-event.ts";
import type { RunResult } from "./run.ts";
import type { RunContext } from "./run-context.ts";
import { runStep } from "./step.ts";
import type { StopSignal } from "./stop-signal.ts";

/**
 * The loop: prompt, then steps until the model has answered, the budget is used up, or somebody ends it.
 *
 * @throws RunError for what the run does not survive
 */
export async function* runLoop(context: RunContext, prompt: string | undefined): AsyncGenerator<AgentEvent, RunResult> {
  const { settings, meter, signal } = context;
  const { maxSteps, maxFailures, clock } = settings;
  let failures = 0;
  let said = "";
  let isOver = false;

  const over = (status: "completed" | "stopped", text: string, stop?: StopSignal): RunResult => {
    isOver = true;
    return { status, text, steps: meter.steps, usage: meter.total, ...(stop && { stop }) };
  };

  try {
    yield* opening(context, prompt);
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
      if (outcome.type === "acted") failures = 0;
      else if (++failures === maxFailures) {
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
async function cancel(context: RunContext): Promise<CancelledEvent> {
  const { settings, log } = context;
  const cancelled: CancelledEvent = { type: "cancelled", timestamp: settings.clock() };
  const owed = owedResult(await log.load(), settings.clock());
  await log.append(owed ? [owed, cancelled] : [cancelled]);
  return cancelled;
}

/** The outcomes that the log owes to its last calls, if it does. */
function owedResult(stored: readonly LogEvent[], timestamp: number): ResultEvent | undefined {
  const missing = missingResults(stored);
  if (missing.length === 0) return undefined;
  const since = stored.findLastIndex((event) => event.type !== "record" && event.type !== "call") + 1;
  const started = stored.slice(since).filter((event) => event.type === "record" && event.kind === "started").length;
  return resultEvent(missing, started, timestamp);
}

/** Close what an earlier run left open, then say what this one is about. */
async function* opening(
  { settings: { clock }, log }: RunContext,
  prompt: string | undefined,
): AsyncGenerator<AgentEvent, void> {
  const stored = await log.load();
  if (prompt === undefined && stored.length === 0) {
    throw new RunError("nothing_to_recover", "The conversation has no events; start it with run().");
  }
  const owed = owedResult(stored, clock());
  if (owed) {
    await log.append([owed]);
    yield owed;
  }
  const last = stored.findLast((event) => event.type !== "record")?.type;
  if (prompt === undefined && (owed || last === "user" || last === "result")) return;
  const user: AgentEvent & LogEvent = {
    type: "user",
    content: prompt ?? CONTINUE,
    ...(prompt === undefined && { origin: "recovery" as const }),
    timestamp: clock(),
  };
  await log.append([user]);
  yield user;
}
