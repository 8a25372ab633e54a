import type { AgentEvent, LogEvent } from "@cogency/protocol";
import { cutOff } from "../drivers/cut-off.ts";
import type { RunContext } from "../run-context.ts";
import { decided, goesOn, recordUsage, stoppedBy } from "./end-step.ts";
import type { Generation } from "./generation.ts";
import { type CompletedStep, type EndingAfter, interrupted, type StepOutcome } from "./step-outcome.ts";
import type { LastEvents, Written } from "./written.ts";

/** Ends a step in which no call ran. If its text cannot be used, the log says so to the model. */
export async function concludeWithoutCalls(
  context: RunContext,
  log: readonly LogEvent[],
  generation: Generation,
  { unstored, ungiven }: LastEvents,
  endingAfter: EndingAfter,
): Promise<CompletedStep> {
  const { trailer } = generation.written;
  const stop = context.signal.aborted ? undefined : await context.hooks?.afterResponse(generation.written);
  const outcome = await fitting(context, outcomeWithoutCalls(context, log, generation.written), generation.written);
  const decide = () => {
    if (stop) return stoppedBy(context, stop);
    return context.signal.aborted ? goesOn : decided(context, generation, outcome, [], endingAfter);
  };
  const due = [...unstored, ...trailer.records];
  const { metric, ending, asked } = await recordUsage(context, generation, due, decide);
  await context.outlet.put(...ungiven, metric, ...asked);
  if (context.signal.aborted && !ending) return interrupted;
  if (outcome.type === "unusable" && !ending) await correct(context, generation.written, outcome.problem);
  return { outcome, ending };
}

function outcomeWithoutCalls(
  { settings, mayNudge }: RunContext,
  log: readonly LogEvent[],
  { nearMiss, refused, hasExecuted, hasEnded, trailer, text, stop }: Written,
): StepOutcome {
  const { finish } = trailer;
  if (refused) return { type: "unusable", problem: refused.error.content, text: refused.text, stop, finish };
  if (stop) return { type: "unusable", problem: stop.message, text, stop };
  if (hasExecuted) return { type: "unusable", problem: emptyBatch, text };
  // An answer that must fit a schema is JSON, and may look like anything.
  if (nearMiss !== undefined && mayNudge && !settings.object) return { type: "unusable", problem: nearMiss, text };
  // After results, `<end>` alone is a complete answer, also after what the loop says about them.
  const hasResults = log.findLast((event) => event.type !== "record" && !isNotice(event))?.type === "result";
  // A model without room for an answer would have none in the next step either.
  const wasCut = finish === "length" || finish === "content_filter";
  if (text !== "" || wasCut || (hasEnded && hasResults)) return { type: "answered", text, finish };
  return { type: "unusable", problem: emptyTurn, text };
}

function isNotice(event: LogEvent): boolean {
  return event.type === "user" && event.origin === "notice";
}

/** The outcome of an answer that does not fit what the run wants. */
async function fitting(
  { settings: { object, request }, signal, mayNudge }: RunContext,
  outcome: StepOutcome,
  { nearMiss, trailer: { usage } }: Written,
): Promise<StepOutcome> {
  if (outcome.type !== "answered" || !object || signal.aborted) return outcome;
  const { text, finish } = outcome;
  const problem = await object.problemOf(text);
  if (problem === undefined) return outcome;
  if (nearMiss !== undefined && mayNudge) return { type: "unusable", problem: nearMiss, text };
  const cut = cutOff(finish, request.maxOutputTokens, usage);
  if (cut === undefined) return { type: "unusable", problem: `${problem} ${again}`, text };
  return { type: "unusable", problem: `Your answer was cut off ${cut} before it was whole. ${shorter}`, text, finish };
}

const again = "Answer again, with the whole JSON value and nothing else.";

const shorter = "Answer again, with a whole JSON value that is shorter, and nothing else.";

/** Tells the model why its answer could not be used. The log says it already if a block was refused. */
async function correct(
  context: RunContext,
  { refused, hasExecuted, nearMiss, text }: Written,
  content: string,
): Promise<void> {
  const { settings, log, outlet, timeline } = context;
  const { clock } = settings;
  if (refused) return;
  if (content === nearMiss) context.mayNudge = false;
  const ofText = content === nearMiss ? "near_miss" : text === "" ? "empty_turn" : "unfit_answer";
  const code = hasExecuted ? "empty_batch" : ofText;
  const error: AgentEvent = { type: "error", code, content, timestamp: clock() };
  if (hasExecuted) {
    await log.append([{ type: "record", kind: "rejected", data: { code, message: content }, timestamp: clock() }]);
    return outlet.put(error);
  }
  const nudge: AgentEvent & LogEvent = { type: "user", content, origin: "nudge", timestamp: clock() };
  await log.append([nudge]);
  timeline.tell(() => ({ type: "notified", content }));
  await outlet.put(error, nudge);
}

const emptyBatch = "The block held no calls. Write at least one, or answer in plain text.";

const emptyTurn =
  "Your last message held neither an answer nor tool calls. Answer the user in plain text, or call tools.";
