import {
  type AgentEvent,
  type CancelledEvent,
  CONTINUE,
  type LogEvent,
  type ResultEvent,
  type UserEvent,
} from "@cogency/protocol";
import type { Content } from "@cogency/tools";
import { foundTools, tellFound } from "../batch/found-tools.ts";
import { closingResult, type OpenCalls, openCalls } from "../batch/open-calls.ts";
import { resumeBatch, settleOpen } from "../batch/resume-batch.ts";
import { noteOpen } from "../batch/unknown-calls.ts";
import type { PromptContent } from "../check-options.ts";
import { type Ending, endingOf, endingOfCancelled, runRecords } from "../ending.ts";
import { RunError, runErrorOf } from "../errors.ts";
import { messageRecord } from "../inbox/mailbox.ts";
import { takeRefused, takeSteers, takeTurn, tellMessage } from "../inbox/take-messages.ts";
import { contentRecord } from "../log/held-content.ts";
import { orAbandoned } from "../log/or-abandoned.ts";
import { isOwnLog, originRecord } from "../log/origin.ts";
import { ConsumerLeft } from "../outlet.ts";
import { progressOf, type RunResult } from "../run.ts";
import type { RunContext } from "../run-context.ts";
import { stopOfSignal } from "../stop-of-signal.ts";
import { tellStart } from "../timeline/run-activity.ts";
import { checkPrompt } from "./attachments.ts";
import { createBudget, stopped } from "./budget.ts";
import { runStepSomewhere } from "./fallback.ts";
import { shownMessages } from "./make-room.ts";
import type { StepOutcome } from "./step.ts";

/** The prompt of a run; a run that recovers a conversation has none. */
export interface Prompt extends PromptContent {
  /** Where the text came from, if no person vouches for it. */
  untrusted: string | undefined;
}

/**
 * The loop: stores the prompt, then takes turns until the inbox holds nothing more for the conversation, a turn is stopped, or
 * calls wait for answers.
 *
 * @throws RunError if the run fails; ConsumerLeft
 */
export async function runLoop(context: RunContext, prompt: Prompt | undefined): Promise<RunResult> {
  const { settings, outlet } = context;
  try {
    await context.lease.take();
    context.deadline.start();
    await openMailbox(context);
    let ending = await beginRun(context, prompt);
    for (;;) {
      ending ??= (await beginWithHooks(context, prompt)) ?? (await runTurn(context));
      if (!ending) return await interrupt(context);
      const isOver = !(await goOn(context, ending));
      if (isOver) return await over(context, ending);
      ending = ending.status === "waiting" ? await resume(context) : undefined;
    }
  } catch (error) {
    if (context.lostLease) throw context.lostLease;
    if (error instanceof ConsumerLeft) return leave(context, error);
    if (!isNotStored(error)) throw error;
    const result = notStored(context, error);
    // Whether anybody takes it or not.
    await outlet.put({ type: "interrupt", timestamp: settings.clock() }).catch(() => {});
    return result;
  }
}

/**
 * The result of a run that was aborted and whose loop does not end, because something hangs that it waits for.
 *
 * @throws RunError if the run was aborted because it may not go on
 */
export function giveUp(context: RunContext): RunResult {
  const { ending, lostLease, outlet, settings } = context;
  if (lostLease) throw lostLease;
  if (ending) return resultOf(context, ending);
  outlet.put({ type: "interrupt", timestamp: settings.clock() }).catch(() => {});
  return notStored(context, new RunError("not_stored", doesNotEnd));
}

const doesNotEnd = "The run did not end in time after it was aborted: the log may lack its last events.";

/** Waits until the inbox is read, unless the store hangs after an abort: then the log notices it. */
async function openMailbox({ mailbox, signal }: RunContext): Promise<void> {
  try {
    await orAbandoned(() => mailbox.open(), signal, undefined);
  } catch (error) {
    throw runErrorOf(error, "store");
  }
}

/**
 * One turn: takes steps until the model has answered, the budget is used up, or a tool or a hook ends the run. Undefined if the
 * run's signal aborts.
 */
async function runTurn(context: RunContext): Promise<Ending | undefined> {
  const { signal, outlet } = context;
  const { hooks } = context;
  const budget = createBudget(context);
  context.mayNudge = true;
  if (hooks) hooks.budget = budget;
  while (!signal.aborted) {
    const usedUp = budget.endingBefore();
    if (usedUp) return endTurn(context, usedUp);
    await takeSteers(context);
    await budget.tellModel();
    const stoppedByHook = await hooks?.beforeStep(false);
    if (stoppedByHook) return endTurn(context, stoppedByHook);
    if (hooks && signal.aborted) return undefined;
    const step = runStepSomewhere(context, budget.endingAfter);
    const { outcome, ending } = await (hooks ? step.finally(() => hooks.endStep()) : step);
    if (outcome.type === "unaffordable") return endTurn(context, stopped(outcome.stop));
    tellStep(context, outcome, ending);
    if (ending?.notice) await outlet.put(ending.notice);
    if (ending) return ending;
    if (outcome.type === "unusable") budget.countFailure(outcome);
    if (outcome.type === "interrupted") return undefined;
  }
  return undefined;
}

/** Stores the ending of a turn that may not take its next step. */
async function endTurn(context: RunContext, given: Ending): Promise<Ending> {
  const { hooks, log, settings } = context;
  const ending = hooks ? await hooks.stopping(given) : given;
  await log.append(runRecords(ending, settings.clock()));
  context.ending = ending;
  return ending;
}

/** Calls the hooks of the run's beginning. Undefined unless one of them stops it. */
async function beginWithHooks(context: RunContext, prompt: Prompt | undefined): Promise<Ending | undefined> {
  const stopped = await context.hooks?.beforeRun(prompt ? "run" : "recover");
  return stopped && endTurn(context, stopped);
}

/** Goes on with calls that were left open. If a hook stops the run before that, they stay open. */
async function resumeOpen(context: RunContext, open: OpenCalls): Promise<Ending | undefined> {
  const { hooks } = context;
  if (!hooks) return resumeBatch(context, open);
  const stopped = (await hooks.beforeRun("recover")) ?? (await hooks.beforeStep(true));
  if (stopped) return hooks.stopping(stopped);
  return resumeBatch(context, open).finally(() => hooks.endStep());
}

/** Whether the run goes on after a turn: with the words that wait in the inbox, or with an answer that has come. */
async function goOn(context: RunContext, { status, waiting = [] }: Ending): Promise<boolean> {
  await context.mailbox.settled();
  if (context.signal.aborted) return false;
  const isAnswered = waiting.some(({ question }) => context.mailbox.has(question));
  const hasWords = status === "completed" && (await takeTurn(context));
  if (isAnswered || hasWords) context.ending = undefined;
  return isAnswered || hasWords;
}

/** Goes on with the batch that waited. */
async function resume(context: RunContext): Promise<Ending | undefined> {
  const open = openCalls(await context.log.load(), context.settings.executor);
  return open && resumeOpen(context, open);
}

/** The run is over. What no run has a use for leaves the inbox. */
async function over(context: RunContext, ending: Ending): Promise<RunResult> {
  context.mailbox.refuseRest((ending.waiting ?? []).map(({ question }) => question));
  await takeRefused(context);
  return resultOf(context, ending);
}

/** The outcome of a step that was taken. */
type Taken = Exclude<StepOutcome, { type: "unaffordable" }>;

function tellStep({ timeline }: RunContext, { type }: Taken, ending: Ending | undefined): void {
  timeline.tell(() => ({ type: "step_ended", outcome: type }));
  const goesOn = !ending && type !== "interrupted";
  const reason = ending?.stop?.message ?? reasons[type];
  timeline.tell(() => ({ type: "continuation_evaluated", goesOn, reason }));
}

/** Why a run goes on, or ends, after a step with this outcome. */
const reasons: Record<Taken["type"], string> = {
  answered: "The model has answered.",
  acted: "The model has not seen the results of its calls.",
  waiting: "Calls wait for answers.",
  unusable: "The model is told why its output could not be used.",
  interrupted: "The run was aborted.",
};

/** The consumer left: the run is cancelled, unless its end is stored. */
async function leave(context: RunContext, left: ConsumerLeft): Promise<RunResult> {
  if (context.ending) return resultOf(context, context.ending);
  try {
    await cancel(context);
  } catch (error) {
    if (isNotStored(error)) return notStored(context, error);
    throw error;
  }
  throw left;
}

/** The run was aborted, and the store hangs. `cancelled` is not shown, because it is not stored; `recover` finds that out. */
function notStored(context: RunContext, error: RunError): RunResult {
  return { ...resultOf(context, { status: "stopped", stop: stopOfSignal(context.signal) }), error };
}

function isNotStored(error: unknown): error is RunError {
  return error instanceof RunError && error.code === "not_stored";
}

/** The run's signal has aborted. */
async function interrupt(context: RunContext): Promise<RunResult> {
  const { settings, signal, outlet, lostLease } = context;
  if (lostLease) throw lostLease;
  const stop = stopOfSignal(signal);
  // After a deadline the conversation stays open, as after a crash: `recover` continues it.
  const cancelled = stop.reason === "user_requested" ? await cancel(context) : [];
  context.ending = { status: "stopped", stop };
  const interrupted: AgentEvent = { type: "interrupt", timestamp: settings.clock() };
  // A result comes before `cancelled`, as in the log.
  await outlet.put(...cancelled.slice(0, -1), interrupted, ...cancelled.slice(-1));
  return resultOf(context, context.ending);
}

function resultOf(context: RunContext, { status, stop, waiting }: Ending): RunResult {
  return { status, ...progressOf(context), ...(stop && { stop }), ...(waiting && { waiting }) };
}

/**
 * Stores a result for the calls that will not run any more, and `cancelled`, with the message that cancelled the run and those
 * that have no effect any more. Returns what the consumer gets.
 */
async function cancel(context: RunContext): Promise<(ResultEvent | UserEvent | CancelledEvent)[]> {
  const { settings, log, mailbox, timeline } = context;
  const timestamp = settings.clock();
  const cancelled: CancelledEvent = { type: "cancelled", timestamp };
  const stored = await log.load();
  if (stored.length === 0) return [cancelled];
  const message = mailbox.takeCancel();
  // No question stays open.
  mailbox.refuseRest([]);
  const messages = [...(message ? [{ received: message, why: undefined }] : []), ...mailbox.takeRefused()];
  const records = messages.map(({ received, why }) => messageRecord(received, timestamp, why));
  const open = openCalls(stored, settings.executor);
  if (open) noteOpen(context.unknown, open);
  const result = open ? [closingResult(open, timestamp)] : [];
  const found = foundTools(context, stored, open?.results ?? []);
  const ids = messages.map(({ received }) => received.id);
  await log.append([...records, ...result, ...found.stored, cancelled], ids);
  for (const { received, why } of messages) tellMessage(timeline, received, why);
  tellFound(context, found);
  return [...result, ...found.given, cancelled];
}

/** Finishes or closes the calls that an earlier run left open, then stores the prompt. */
async function beginRun(context: RunContext, prompt: Prompt | undefined): Promise<Ending | undefined> {
  const { settings, log, outlet } = context;
  const { clock, executor, keyRing, scope } = settings;
  const stored = await log.load();
  context.ledger.begin(stored, settings.price);
  tellStart(context, prompt ? "run" : "recover", stored.length);
  const isNew = stored.length === 0;
  if (!prompt && isNew && !context.mailbox.hasWords) {
    throw new RunError("nothing_to_recover", "The conversation has no events; start it with run().");
  }
  if (isNew || (await isOwnLog(stored, keyRing, context, context.signal))) context.assumed = [];
  const left = openCalls(stored, executor);
  if (left && !prompt) return resumeOpen(context, left);
  const ended = prompt ? undefined : endedBefore(context, stored);
  if (ended) {
    // However the last run has ended, a prompt begins the next turn.
    if (context.mailbox.hasPrompt && !context.signal.aborted && (await takeTurn(context))) return undefined;
    context.lastText = lastAnswer(stored);
    return ended;
  }
  const last = stored.findLast((event) => event.type !== "record")?.type;
  if (!prompt && (last === "user" || last === "result")) return undefined;
  const open = left && (await settleOpen(context, stored, left));
  const result = open ? [closingResult(open, clock())] : [];
  const found = foundTools(context, stored, open?.results ?? []);
  const timestamp = clock();
  const origin = isNew ? await originRecord(keyRing, context, scope, timestamp, context.signal) : undefined;
  // The signal aborted first. Without an origin the conversation would always count as another installation's.
  if (isNew && !origin) return undefined;
  if (!prompt && isNew && origin) {
    await log.append([origin]);
    await takeTurn(context);
    return undefined;
  }
  const user = userEvent(prompt, timestamp);
  checkPrompt(settings, () => shownMessages(context, stored, "json").messages, prompt?.attachments);
  const brought: Content[] = prompt?.untrusted === undefined ? [] : [{ holds: "untrusted", source: prompt.untrusted }];
  const records = brought.map((content) => contentRecord(content, timestamp));
  await log.append([...(origin ? [origin] : []), ...result, ...found.stored, user, ...records]);
  tellFound(context, found);
  await outlet.put(...result, ...found.given, user);
  return undefined;
}

/** How the last run has ended. Undefined if this one goes on with it, as with a cancelled one that nobody has followed up. */
function endedBefore({ mailbox, leavesCancelled }: RunContext, stored: readonly LogEvent[]): Ending | undefined {
  return endingOf(stored) ?? (leavesCancelled || mailbox.hasPrompt ? endingOfCancelled(stored) : undefined);
}

/** The text for the user of the last step of the last run that wrote any. Each step ends with a record of its usage. */
function lastAnswer(log: readonly LogEvent[]): string {
  const begun = log.findLastIndex((event) => event.type === "user" && !isFromLoop(event));
  let last = "";
  let units: string[] = [];
  for (const event of log.slice(begun + 1)) {
    if (event.type === "respond") {
      units.push(event.content);
      last = units.join("\n\n");
    } else if (event.type === "record" && event.kind === "usage") units = [];
  }
  return last;
}

function isFromLoop({ origin }: UserEvent): boolean {
  return origin === "nudge" || origin === "notice";
}

function userEvent(prompt: Prompt | undefined, timestamp: number): UserEvent {
  if (!prompt) return { type: "user", content: CONTINUE, origin: "recovery", timestamp };
  const { text, untrusted, attachments = [] } = prompt;
  return {
    type: "user",
    content: text,
    ...(attachments.length > 0 && { attachments }),
    ...(untrusted !== undefined && { origin: "untrusted" }),
    timestamp,
  };
}
