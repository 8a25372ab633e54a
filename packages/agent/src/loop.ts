import { type AgentEvent, type CancelledEvent, CONTINUE, type UserEvent } from "@cogency/protocol";
import { type Content, isForcedStop, type StopSignal } from "@cogency/tools";
import { RunError } from "./errors.ts";
import { contentRecord } from "./held-content.ts";
import { openCalls, owedResult } from "./open-calls.ts";
import { isOwnLog, originRecord } from "./origin.ts";
import { resumeBatch } from "./resume-batch.ts";
import type { RunResult } from "./run.ts";
import type { RunContext } from "./run-context.ts";
import { runStep, type StepOutcome } from "./step.ts";
import { stopOfSignal } from "./stop-of-signal.ts";

/** What a run begins with. */
interface Said {
  prompt: string;
  /** Where it came from, if no person vouches for it. */
  untrusted: string | undefined;
}

type Answered = Extract<StepOutcome, { type: "answered" }>;

/**
 * The loop: prompt, then steps until the model has answered, the budget is used up, or somebody ends it.
 *
 * @throws RunError for what the run does not survive
 */
export async function* runLoop(context: RunContext, said: Said | undefined): AsyncGenerator<AgentEvent, RunResult> {
  const { settings, meter, signal } = context;
  const { maxSteps, maxFailures, maxRepeats, clock } = settings;
  let failures = 0;
  let repeats = 0;
  let lastBatch: string | undefined;
  let isOver = false;

  const over = (status: "completed" | "stopped", stop?: StopSignal): RunResult => {
    isOver = true;
    return {
      status,
      text: context.said,
      ...meter.tally,
      toolErrors: context.toolErrors,
      ...(stop && { stop }),
    };
  };

  try {
    const stop = yield* opening(context, said);
    if (stop) return over(isForcedStop(stop) ? "stopped" : "completed", stop);
    for (;;) {
      if (signal.aborted) break;
      if (meter.steps === maxSteps) {
        const message = `The run used up its steps (${maxSteps}/${maxSteps}) before the model had answered.`;
        return over("stopped", { reason: "steps_limit", message, context: { currentSteps: maxSteps, maxSteps } });
      }
      const outcome = yield* runStep(context);
      if (outcome.type === "interrupted") break;
      if (outcome.type === "answered") return over("completed", cutOff(outcome, settings.request.maxOutputTokens));
      if (outcome.type === "acted") {
        const { stop, fingerprint } = outcome;
        if (stop) return over(isForcedStop(stop) ? "stopped" : "completed", stop);
        repeats = fingerprint === lastBatch ? repeats + 1 : 1;
        lastBatch = fingerprint;
        if (repeats === maxRepeats) {
          const message = `The model made the same calls with the same results ${maxRepeats} times in a row.`;
          yield { type: "error", code: "repeated_batch", content: message, timestamp: clock() };
          return over("stopped", { reason: "retry_limit", message, context: { repeats: maxRepeats } });
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

    const ending = stopOfSignal(signal);
    // A deadline leaves the conversation as a crash does: `recover` goes on with it.
    const cancelled = ending.reason === "user_requested" ? await cancel(context) : undefined;
    isOver = true;
    yield { type: "interrupt", timestamp: clock() };
    if (cancelled) yield cancelled;
    return over("stopped", ending);
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    // The consumer left in the middle.
    if (!isOver) await cancel(context);
  }
}

/** Why the answer is not complete, if it is not. */
function cutOff({ text, finish }: Answered, limit: number | undefined): StopSignal | undefined {
  if (finish !== "length" && finish !== "content_filter") return undefined;
  const limited = limit === undefined ? "the output limit" : `the output limit (maxOutputTokens: ${limit})`;
  const why = finish === "length" ? `reached ${limited}` : "was stopped by the provider's content filter";
  const message = text === "" ? `There is no answer: the model ${why}.` : `The answer is not complete: it ${why}.`;
  const context = { finish, ...(finish === "length" && limit !== undefined && { maxOutputTokens: limit }) };
  return { reason: "finish_reason", message, context };
}

/** Calls that were stored and will not run get their results, then the log says that the run was cancelled. */
async function cancel({ settings, log }: RunContext): Promise<CancelledEvent> {
  const cancelled: CancelledEvent = { type: "cancelled", timestamp: settings.clock() };
  const stored = await log.load();
  if (stored.length === 0) return cancelled;
  const open = openCalls(stored, settings.executor);
  await log.append(open ? [owedResult(open, settings.clock()), cancelled] : [cancelled]);
  return cancelled;
}

/** Close what an earlier run left open, then say what this one is about. */
async function* opening(
  context: RunContext,
  said: Said | undefined,
): AsyncGenerator<AgentEvent, StopSignal | undefined> {
  const { settings, log } = context;
  const { clock, executor, keyRing, scope } = settings;
  const stored = await log.load();
  const isNew = stored.length === 0;
  if (!said && isNew) {
    throw new RunError("nothing_to_recover", "The conversation has no events; start it with run().");
  }
  if (isNew || (await isOwnLog(stored, keyRing, context, context.signal))) context.assumed = [];
  const open = openCalls(stored, executor);
  if (open && !said) return yield* resumeBatch(context, open);
  if (open) {
    const owed = owedResult(open, clock());
    await log.append([owed]);
    yield owed;
  }
  const last = stored.findLast((event) => event.type !== "record")?.type;
  if (!said && (last === "user" || last === "result")) return undefined;
  const timestamp = clock();
  const user = userEvent(said, timestamp);
  const origin = isNew ? await originRecord(keyRing, context, scope, timestamp, context.signal) : undefined;
  // Without its mark a conversation would count as somebody else's for ever: it does not begin at all.
  if (isNew && !origin) return undefined;
  const brought: Content[] = said?.untrusted === undefined ? [] : [{ holds: "untrusted", source: said.untrusted }];
  await log.append([...(origin ? [origin] : []), user, ...brought.map((content) => contentRecord(content, timestamp))]);
  yield user;
  return undefined;
}

function userEvent(said: Said | undefined, timestamp: number): UserEvent {
  if (!said) return { type: "user", content: CONTINUE, origin: "recovery", timestamp };
  const { prompt, untrusted } = said;
  return { type: "user", content: prompt, ...(untrusted !== undefined && { origin: "untrusted" }), timestamp };
}
