import type { AgentEvent, CancelledEvent, ResultEvent, UserEvent } from "@cogency/protocol";
import { foundTools, tellFound } from "../batch/found-tools.ts";
import { closingResult, openCalls } from "../batch/open-calls.ts";
import { noteOpen } from "../batch/unknown-calls.ts";
import { type RunEnding, runRecords } from "../ending.ts";
import { isRunError, RunError } from "../errors.ts";
import { messageRecord } from "../inbox/received.ts";
import { takeUnread, tellMessage, unreadMessages } from "../inbox/take-messages.ts";
import type { ConsumerLeft } from "../outlet.ts";
import type { RunResult } from "../run.ts";
import type { RunContext } from "../run-context.ts";
import { progressOf } from "../run-progress.ts";
import { stopOfSignal } from "../stop-of-signal.ts";

/** Stores the ending of a turn that may not take its next step. */
export async function endTurn(context: RunContext, given: RunEnding): Promise<RunEnding> {
  const { hooks, log, settings } = context;
  const ending = hooks ? await hooks.stopping(given) : given;
  await log.append(runRecords(ending, settings.clock()));
  context.ending = ending;
  return ending;
}

/** The run is over. What no run has a use for leaves the inbox. */
export async function endRun(context: RunContext, ending: RunEnding): Promise<RunResult> {
  context.mailbox.refuseRest((ending.waiting ?? []).map(({ question }) => question));
  await takeUnread(context);
  return resultOf(context, ending);
}

/** The consumer left: the run is cancelled, unless its end is stored. */
export async function leave(context: RunContext, left: ConsumerLeft): Promise<RunResult> {
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
export function notStored(context: RunContext, error: RunError): RunResult {
  return { status: "stopped", ...progressOf(context), stop: stopOfSignal(context.signal), error };
}

export function isNotStored(error: unknown): error is RunError {
  return isRunError(error) && error.code === "not_stored";
}

/** The run's signal has aborted. */
export async function interrupt(context: RunContext): Promise<RunResult> {
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

function resultOf(context: RunContext, { notice: _, ...ending }: RunEnding): RunResult {
  const { status, ...why } = ending;
  const { found } = context.settings.object ?? {};
  const object = status === "completed" && found && { object: found.value };
  return { status, ...progressOf(context), ...why, ...object } as RunResult;
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
  const taken = message ? [messageRecord(message, timestamp)] : [];
  const unread = unreadMessages(context, timestamp);
  const open = openCalls(stored, settings.executor);
  if (open) noteOpen(context.unknown, open);
  const result = open ? [closingResult(open, timestamp)] : [];
  const found = foundTools(context, stored, open?.results ?? []);
  const ids = [...(message ? [message.id] : []), ...unread.ids];
  await log.append([...taken, ...unread.records, ...result, ...found.stored, cancelled], ids);
  if (message) tellMessage(timeline, message);
  unread.tell(timeline);
  tellFound(context, found);
  return [...result, ...found.given, cancelled];
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
