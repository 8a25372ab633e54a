import { CONTINUE, type LogEvent, type UserEvent } from "@cogency/protocol";
import type { Content } from "@cogency/tools";
import { foundTools, tellFound } from "../batch/found-tools.ts";
import { closingResult, type OpenCalls, openCalls } from "../batch/open-calls.ts";
import { resumeBatch, settleOpen } from "../batch/resume-batch.ts";
import { callIn } from "../batch/unknown-calls.ts";
import { type Ending, endingOf, endingOfCancelled, endingOfStop } from "../ending.ts";
import { RunError, runErrorOf } from "../errors.ts";
import { takeTurn, turnRecords } from "../inbox/take-messages.ts";
import { contentRecord } from "../log/held-content.ts";
import { schemaOfTurn } from "../log/object-record.ts";
import { orAbandoned } from "../log/or-abandoned.ts";
import { isOwnLog, originRecord } from "../log/origin.ts";
import { withObject } from "../object/object-target.ts";
import type { PromptContent } from "../options.ts";
import type { RunContext } from "../run-context.ts";
import { tellStart } from "../timeline/run-activity.ts";
import { checkPrompt } from "./attachments.ts";
import { endTurn } from "./end-run.ts";
import { shownMessages } from "./make-room.ts";
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
export async function beginWithHooks(context: RunContext, prompt: Prompt | undefined): Promise<Ending | undefined> {
  const stopped = await context.hooks?.beforeRun(prompt ? "run" : "recover");
  return stopped && endTurn(context, stopped);
}

/** Finishes or closes the calls that an earlier run left open, then stores the prompt. */
export async function beginRun(context: RunContext, prompt: Prompt | undefined): Promise<Ending | undefined> {
  const { settings, log, outlet } = context;
  const { clock, executor, keyRing, scope } = settings;
  const stored = await log.load();
  context.ledger.begin(stored, settings.price);
  tellStart(context, prompt ? "run" : "recover", stored);
  const isNew = stored.length === 0;
  if (!prompt && isNew && !context.mailbox.hasWords) {
    throw new RunError("nothing_to_recover", "The conversation has no events; start it with run().");
  }
  if (isNew || (await isOwnLog(stored, keyRing, context, context.signal))) context.assumed = settings.instructionsHold;
  const left = openCalls(stored, executor);
  const ended = prompt || left ? undefined : endedBefore(context, stored);
  // However the last run has ended, a prompt begins the next turn.
  if (ended && context.mailbox.hasPrompt && !context.signal.aborted && (await takeTurn(context))) return undefined;
  if (!prompt) goOnWithObject(context, stored);
  if (left && !prompt) return resumeOpen(context, left);
  if (ended) {
    context.lastText = lastAnswer(stored);
    await context.settings.object?.problemOf(context.lastText);
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
  const held = settings.instructionsHold.map((content) => contentRecord(content, timestamp));
  if (!prompt && isNew && origin) {
    await log.append([origin, ...held]);
    await takeTurn(context);
    return undefined;
  }
  const user = userEvent(prompt, timestamp);
  checkPrompt(settings, () => shownMessages(context, stored, "json").messages, prompt?.attachments);
  const brought = (["untrusted", "private"] as const).flatMap((holds): Content[] => {
    const source = prompt?.[holds];
    return source === undefined ? [] : [{ holds, source }];
  });
  const records = [...held, ...brought.map((content) => contentRecord(content, timestamp))];
  if (prompt) records.push(...turnRecords(context, timestamp));
  await log.append([...(origin ? [origin] : []), ...result, ...found.stored, user, ...records]);
  tellFound(context, found);
  await outlet.put(...result, ...found.given, user);
  return undefined;
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

/** Asks the hooks that judge a response, unless a call of it has begun: then they were asked. */
async function judge({ hooks, log }: RunContext, open: OpenCalls): Promise<Ending | undefined> {
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
export async function resumeOpen(context: RunContext, open: OpenCalls): Promise<Ending | undefined> {
  const { hooks } = context;
  if (!hooks) return resumeBatch(context, open);
  const stopped = (await hooks.beforeRun("recover")) ?? (await hooks.beforeStep(true)) ?? (await judge(context, open));
  if (stopped) return hooks.stopping(stopped);
  return resumeBatch(context, open).finally(() => hooks.endStep());
}
