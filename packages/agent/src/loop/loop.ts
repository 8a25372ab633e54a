import { type AgentEvent, type CancelledEvent, CONTINUE, type UserEvent } from "@cogency/protocol";
import { type Content, isForcedStop, type StopSignal } from "@cogency/tools";
import { closingResult, openCalls } from "../batch/open-calls.ts";
import { resumeBatch } from "../batch/resume-batch.ts";
import { RunError } from "../errors.ts";
import { contentRecord } from "../log/held-content.ts";
import { isOwnLog, originRecord } from "../log/origin.ts";
import type { RunResult } from "../run.ts";
import type { RunContext } from "../run-context.ts";
import { stopOfSignal } from "../stop-of-signal.ts";
import { runStep, type StepOutcome } from "./step.ts";

/** The prompt of a run; a run that recovers a conversation has none. */
export interface Prompt {
  text: string;
  /** Where the text came from, if no person vouches for it. */
  untrusted: string | undefined;
}

type Answered = Extract<StepOutcome, { type: "answered" }>;

/**
 * The loop: stores the prompt, then takes steps until the model has answered, the budget is used up, or a tool, a hook or
 * the signal ends the run.
 *
 * @throws RunError if the run fails
 */
export async function* runLoop(context: RunContext, prompt: Prompt | undefined): AsyncGenerator<AgentEvent, RunResult> {
  const { settings, meter, signal } = context;
  const { maxSteps, maxFailures, maxRepeats, clock } = settings;
  let failures = 0;
  let repeats = 0;
  let lastBatch: string | undefined;
  let isOver = false;

  const resultOf = (status: "completed" | "stopped", stop?: StopSignal): RunResult => {
    isOver = true;
    return {
      status,
      text: context.lastText,
      ...meter.tally,
      toolErrors: context.toolErrors,
      ...(stop && { stop }),
    };
  };

  try {
    const stop = yield* beginRun(context, prompt);
    if (stop) return resultOf(isForcedStop(stop) ? "stopped" : "completed", stop);
    for (;;) {
      if (signal.aborted) break;
      if (meter.steps === maxSteps) {
        const message = `The run used up its steps (${maxSteps}/${maxSteps}) before the model had answered.`;
        return resultOf("stopped", { reason: "steps_limit", message, context: { currentSteps: maxSteps, maxSteps } });
      }
      const outcome = yield* runStep(context);
      if (outcome.type === "interrupted") break;
      if (outcome.type === "answered") return resultOf("completed", cutOff(outcome, settings.request.maxOutputTokens));
      if (outcome.type === "acted") {
        const { stop, fingerprint } = outcome;
        if (stop) return resultOf(isForcedStop(stop) ? "stopped" : "completed", stop);
        repeats = fingerprint === lastBatch ? repeats + 1 : 1;
        lastBatch = fingerprint;
        if (repeats === maxRepeats) {
          const message = `The model made the same calls with the same results ${maxRepeats} times in a row.`;
          yield { type: "error", code: "repeated_batch", content: message, timestamp: clock() };
          return resultOf("stopped", { reason: "retry_limit", message, context: { repeats: maxRepeats } });
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
    // After a deadline the conversation stays open, as after a crash: `recover` continues it.
    const cancelled = ending.reason === "user_requested" ? await cancel(context) : undefined;
    isOver = true;
    yield { type: "interrupt", timestamp: clock() };
    if (cancelled) yield cancelled;
    return resultOf("stopped", ending);
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    // The consumer left before the run was over.
    if (!isOver) await cancel(context);
  }
}

/** The stop signal of an answer that was cut off; undefined for a complete one. */
function cutOff({ text, finish }: Answered, limit: number | undefined): StopSignal | undefined {
  if (finish !== "length" && finish !== "content_filter") return undefined;
  const limited = limit === undefined ? "the output limit" : `the output limit (maxOutputTokens: ${limit})`;
  const why = finish === "length" ? `reached ${limited}` : "was stopped by the provider's content filter";
  const message = text === "" ? `There is no answer: the model ${why}.` : `The answer is not complete: it ${why}.`;
  const context = { finish, ...(finish === "length" && limit !== undefined && { maxOutputTokens: limit }) };
  return { reason: "finish_reason", message, context };
}

/** Stores a result for the calls that will not run any more, and `cancelled`. */
async function cancel({ settings, log }: RunContext): Promise<CancelledEvent> {
  const cancelled: CancelledEvent = { type: "cancelled", timestamp: settings.clock() };
  const stored = await log.load();
  if (stored.length === 0) return cancelled;
  const open = openCalls(stored, settings.executor);
  await log.append(open ? [closingResult(open, settings.clock()), cancelled] : [cancelled]);
  return cancelled;
}

/** Finishes or closes the calls that an earlier run left open, then stores the prompt. */
async function* beginRun(
  context: RunContext,
  prompt: Prompt | undefined,
): AsyncGenerator<AgentEvent, StopSignal | undefined> {
  const { settings, log } = context;
  const { clock, executor, keyRing, scope } = settings;
  const stored = await log.load();
  const isNew = stored.length === 0;
  if (!prompt && isNew) {
    throw new RunError("nothing_to_recover", "The conversation has no events; start it with run().");
  }
  if (isNew || (await isOwnLog(stored, keyRing, context, context.signal))) context.assumed = [];
  const open = openCalls(stored, executor);
  if (open && !prompt) return yield* resumeBatch(context, open);
  if (open) {
    const result = closingResult(open, clock());
    await log.append([result]);
    yield result;
  }
  const last = stored.findLast((event) => event.type !== "record")?.type;
  if (!prompt && (last === "user" || last === "result")) return undefined;
  const timestamp = clock();
  const user = userEvent(prompt, timestamp);
  const origin = isNew ? await originRecord(keyRing, context, scope, timestamp, context.signal) : undefined;
  // The signal aborted first. Without an origin the conversation would always count as another installation's.
  if (isNew && !origin) return undefined;
  const brought: Content[] = prompt?.untrusted === undefined ? [] : [{ holds: "untrusted", source: prompt.untrusted }];
  await log.append([...(origin ? [origin] : []), user, ...brought.map((content) => contentRecord(content, timestamp))]);
  yield user;
  return undefined;
}

function userEvent(prompt: Prompt | undefined, timestamp: number): UserEvent {
  if (!prompt) return { type: "user", content: CONTINUE, origin: "recovery", timestamp };
  const { text, untrusted } = prompt;
  return { type: "user", content: text, ...(untrusted !== undefined && { origin: "untrusted" }), timestamp };
}
