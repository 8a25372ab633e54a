import type { LogEvent, RecordEvent, UserEvent } from "@cogency/protocol";
import { CONTINUE } from "@cogency/protocol/host";
import { foundTools, tellFound } from "../batch/found-tools.ts";
import { closingResult, type OpenCalls, openCalls } from "../batch/open-calls.ts";
import { resumeBatch, settleOpen } from "../batch/resume-batch.ts";
import { callIn } from "../batch/unknown-calls.ts";
import { checkParent, parentRecords } from "../child/parent-record.ts";
import { findUnaccounted } from "../child/unaccounted.ts";
import { endingOf, endingOfCancelled, endingOfStop, type RunEnding } from "../ending.ts";
import { RunError, runErrorOf } from "../errors.ts";
import { takeTurn, turnRecords } from "../inbox/take-messages.ts";
import { contentRecord } from "../log/held-content.ts";
import { schemaOfTurn } from "../log/object-record.ts";
import { orAbandoned } from "../log/or-abandoned.ts";
import { isOwnLog, originRecord } from "../log/origin.ts";
import { withObject } from "../object/object-target.ts";
import type { PromptContent } from "../options.ts";
import type { RunContext } from "../run-context.ts";
import { noteClientTools, useClientTools } from "../sources/client-tools.ts";
import { tellStart } from "../timeline/run-activity.ts";
import { shownMessages } from "./ask-for-room.ts";
import { checkPrompt } from "./attachments.ts";
import { endTurn } from "./end-run.ts";
import { emptyTrailer } from "./trailer.ts";

/** The prompt of a run; a run that recovers a conversation has none. */
export interface Prompt extends PromptContent {
  /** Where the text came from, if no person vouches for it. */
  untrusted: string | undefined;
  /** Where private text in it came from. */
  private: string | undefined;
}

/**
 * Waits until the inbox is read.
 *
 * @throws RunError `store`; `not_stored` if that takes longer than 250 ms after an abort. A run that has not read its messages
 * must not end as one that has: whoever claimed the conversation would settle the claim, and nobody would read them
 */
export async function openMailbox({ mailbox, signal }: RunContext): Promise<void> {
  const isRead = await orAbandoned(() => mailbox.open().then(() => true), signal, false).catch((error) => {
    throw runErrorOf(error, "store");
  });
  if (!isRead) throw new RunError("not_stored", "The store did not give the inbox before the run was aborted.");
}

/** Calls the hooks of the run's beginning. Undefined unless one of them stops it. */
export async function beginWithHooks(context: RunContext, prompt: Prompt | undefined): Promise<RunEnding | undefined> {
  const stopped = await context.hooks?.beforeRun(prompt ? "run" : "recover");
  return stopped && endTurn(context, stopped);
}

/** Reads the log, then goes on with it, or begins a turn with the prompt. */
export async function beginRun(context: RunContext, prompt: Prompt | undefined): Promise<RunEnding | undefined> {
  const { settings, log, ledger, signal } = context;
  const stored = await log.load();
  const isBegun = checkParent(context, stored);
  useClientTools(context, stored);
  ledger.begin(stored, settings.price, context.conversation);
  await findUnaccounted(context, stored);
  tellStart(context, prompt && !isBegun ? "run" : "recover", stored);
  const isOwn = stored.length === 0 || (await isOwnLog(stored, settings.keyRing, context, signal));
  if (isOwn) context.assumed = settings.instructionsHold;
  return prompt && !isBegun ? beginTurn(context, stored, prompt) : recoverRun(context, stored);
}

/** The calls that an earlier run left open. Their tools may be those of sources, which are read before. */
export async function callsLeft(context: RunContext, stored: readonly LogEvent[]): Promise<OpenCalls | undefined> {
  const left = openCalls(stored, context.settings.executor);
  if (!left || !context.tools) return left;
  await context.tools.take(true);
  return openCalls(stored, context.settings.executor);
}

/** Closes the calls that an earlier run left open, and stores the prompt. */
async function beginTurn(context: RunContext, stored: readonly LogEvent[], prompt: Prompt): Promise<undefined> {
  const { settings, log, outlet, signal } = context;
  const left = await callsLeft(context, stored);
  const open = left && (await settleOpen(context, stored, left));
  const result = open ? [closingResult(open, settings.clock())] : [];
  const found = foundTools(context, stored, open?.results ?? []);
  const timestamp = settings.clock();
  const origin = stored.length === 0 ? await originRecord(settings, context, timestamp, signal) : [];
  if (!origin) return;
  await refuseByHooks(context, prompt.text);
  checkPrompt(settings, () => shownMessages(context, stored, "json").messages, prompt.attachments);
  const user = userEvent(prompt, timestamp);
  const records = [
    ...heldRecords(context, timestamp),
    ...contentOf(prompt, timestamp),
    ...turnRecords(context, timestamp, []),
  ];
  await log.append([...origin, ...parentRecords(context, timestamp), ...result, ...found.stored, user, ...records]);
  await noteClientTools(context, records);
  tellFound(context, found);
  await outlet.put(...result, ...found.given, user);
}

/** Goes on with what the log and the inbox hold: calls that were left open, an answer that broke off, words that wait. */
async function recoverRun(context: RunContext, stored: readonly LogEvent[]): Promise<RunEnding | undefined> {
  // Also where the run broke off, or a hook refused the words, after the log had begun.
  if (stored.every(({ type }) => type === "record")) return beginWithWords(context, stored.length === 0);
  const { settings, log, mailbox, signal, outlet } = context;
  const left = await callsLeft(context, stored);
  const ended = left ? undefined : endedBefore(context, stored);
  // However the last run has ended, a prompt in the inbox begins the next turn.
  if (ended && mailbox.hasPrompt && !signal.aborted && (await takeTurn(context))) return undefined;
  goOnWithObject(context, stored);
  if (left) return resumeOpen(context, left);
  if (ended) {
    context.lastText = lastAnswer(stored);
    await context.settings.object?.problemOf(context.lastText);
    return ended;
  }
  const last = stored.findLast((event) => event.type !== "record")?.type;
  if (last === "user" || last === "result") return undefined;
  const found = foundTools(context, stored, []);
  const timestamp = settings.clock();
  const user: UserEvent = { type: "user", content: CONTINUE, origin: "recovery", timestamp };
  await log.append([...found.stored, user, ...heldRecords(context, timestamp)]);
  tellFound(context, found);
  await outlet.put(...found.given, user);
  return undefined;
}

/** Begins a conversation to which words were sent before it had any, and its log if it `isNew`. */
async function beginWithWords(context: RunContext, isNew: boolean): Promise<undefined> {
  const { settings, log, mailbox, signal } = context;
  if (!mailbox.hasWords) {
    throw new RunError("nothing_to_recover", "The conversation has no events; start it with run().");
  }
  if (isNew) {
    const timestamp = settings.clock();
    const origin = await originRecord(settings, context, timestamp, signal);
    if (!origin) return;
    await log.append([...origin, ...heldRecords(context, timestamp)]);
  }
  if (!(await takeTurn(context))) throw new RunError("prompt_refused", "Hooks refused the prompt in the inbox.");
}

/** @throws RunError `prompt_refused` */
async function refuseByHooks({ hooks }: RunContext, text: string): Promise<void> {
  const why = await hooks?.beforePrompt(text, "prompt");
  if (why !== undefined) throw new RunError("prompt_refused", why);
}

/** What the instructions of the agent bring. */
function heldRecords({ settings }: RunContext, timestamp: number): RecordEvent[] {
  return settings.instructionsHold.map((content) => contentRecord(content, timestamp));
}

/** What the prompt brings. */
function contentOf(prompt: Prompt, timestamp: number): RecordEvent[] {
  return (["untrusted", "private"] as const).flatMap((holds) => {
    const source = prompt[holds];
    return source === undefined ? [] : [contentRecord({ holds, source }, timestamp)];
  });
}

/** Goes on with a turn that must end with an object. */
function goOnWithObject(context: RunContext, stored: readonly LogEvent[]): void {
  const schema = schemaOfTurn(stored);
  if (!schema) return;
  try {
    context.settings = withObject(context.settings, schema);
  } catch {
    // A log from elsewhere may hold what is no schema.
  }
}

/** How the last run has ended. Undefined if this one goes on with it, as with a cancelled one that nobody has followed up. */
function endedBefore({ mailbox, leavesCancelled }: RunContext, stored: readonly LogEvent[]): RunEnding | undefined {
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

function userEvent({ text, untrusted, attachments = [] }: Prompt, timestamp: number): UserEvent {
  return {
    type: "user",
    content: text,
    ...(attachments.length > 0 && { attachments }),
    ...(untrusted !== undefined && { origin: "untrusted" }),
    timestamp,
  };
}

/** Asks the hooks that judge a response, unless a call of it has begun: then they were asked. */
async function judge({ hooks, log }: RunContext, open: OpenCalls): Promise<RunEnding | undefined> {
  const { calls, started, finished, questions, approvals } = open;
  const hasBegun = started.size + finished.size + questions.length + approvals.length > 0;
  if (!hooks?.has("afterResponse") || hasBegun) return undefined;
  const logged = calls.flatMap((stored) => {
    const call = callIn(stored);
    return call ? [{ ...call, id: stored.id }] : [];
  });
  const stop = await hooks.afterResponse({ text: lastText(await log.load()), logged, trailer: emptyTrailer() });
  return stop && endingOfStop(stop);
}

/** The text for the user that belongs to the calls at the end of the log. */
function lastText(log: readonly LogEvent[]): string {
  const begun = log.findLastIndex((event) => event.type === "result" || event.type === "user");
  return log
    .slice(begun + 1)
    .flatMap((event) => (event.type === "respond" ? [event.content] : []))
    .join("\n\n");
}

/** Goes on with calls that were left open. If a hook stops the run before that, they stay open. */
export async function resumeOpen(context: RunContext, open: OpenCalls): Promise<RunEnding | undefined> {
  const { hooks } = context;
  if (!hooks) return resumeBatch(context, open);
  const stopped = (await hooks.beforeRun("recover")) ?? (await hooks.beforeStep(true)) ?? (await judge(context, open));
  if (stopped) return hooks.stopping(stopped);
  return resumeBatch(context, open).finally(() => hooks.endStep());
}
