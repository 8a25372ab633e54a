import type { Json, LogEvent, ToolCall, ToolResult } from "@cogency/protocol";
import { redactionMark } from "@cogency/storage";
import type { ToolExecution } from "@cogency/tools";
import { strongestStop } from "@cogency/tools/host";
import { endingOfStop, type RunEnding, runRecords } from "../ending.ts";
import { RunError } from "../errors.ts";
import { contentOfRefused } from "../log/held-content.ts";
import type { RunContext } from "../run-context.ts";
import { foundTools, tellFound } from "./found-tools.ts";
import { endingOfWaiting, isLeftOpen, openBatch, runCalls } from "./open-batch.ts";
import type { OpenCalls } from "./open-calls.ts";
import { resultEvent } from "./result-event.ts";
import { callIn, noteOpen, ranCall } from "./unknown-calls.ts";

/**
 * Finishes a batch that a crash broke off.
 *
 * - A call that ended keeps its result.
 * - A call that had not begun runs now. An approval still holds if the question would show the same; a refusal stands.
 * - A call that had begun may have taken effect. Its tool is asked (`Tool.verify`): if it did, its value is the result. It runs
 *   again only if it did not, or if its tool claims that repeating it changes nothing more (`idempotentHint`, `readOnlyHint`).
 * - No call runs if an earlier call had ended the run, or if its arguments were redacted when they were stored.
 *
 * @throws RunError `tool` where a failure ends the run, `store`, `hook`
 */
export async function resumeBatch(context: RunContext, open: OpenCalls): Promise<RunEnding | undefined> {
  const { log, settings } = context;
  const before = await log.load();
  const batch = openBatch(context, before, open);
  const results = [...open.results];
  const started = new Set(open.started.keys());
  /** The index of each call of the batch among all open calls. */
  const indexes: number[] = [];
  const failed = settings.endsAtFailure ? failedCall(open) : undefined;
  const isOver = open.stop !== undefined || failed !== undefined;
  noteOpen(context.unknown, open);
  try {
    for (const [index, stored] of open.calls.entries()) {
      const call = callIn(stored);
      const ran = ranCall(open, index);
      if (!call || !ran || open.finished.has(stored.id)) continue;
      const hasBegun = started.has(stored.id);
      if (isOver && !hasBegun) {
        results[index] = { ...(results[index] as ToolResult), content: afterTheEnd };
      } else if (isRedacted(call.args) || isRedacted(ran.args)) {
        // Else its result says already that the outcome is unknown.
        if (hasBegun && (isOver || !mayRepeat(context, ran))) continue;
        results[index] = { ...(results[index] as ToolResult), content: redactedArguments };
        context.unknown.delete(stored.id);
      } else {
        batch.add(call, hasBegun ? { ran, isOver } : undefined);
        indexes.push(index);
      }
    }
    const { executions, results: shown, failure = failed } = await runCalls(context, batch, before);
    const waiting = failure ? undefined : endingOfWaiting(executions);
    if (waiting && !context.signal.aborted) {
      context.ending = waiting;
      return waiting;
    }
    if (waiting || (!failure && isLeftOpen(executions, context.signal))) return undefined;
    for (const [nth, index] of indexes.entries()) {
      const execution = executions[nth] as ToolExecution;
      results[index] = shown[nth] as ToolResult;
      if (execution.started) started.add(execution.id);
    }
    const ids = open.calls.map(({ id }) => id);
    const event = resultEvent(results, ids, started.size, settings.clock());
    context.toolErrors += event.payload.failure_count;
    context.meter.countCalls(results.length);
    // Content first: it belongs to this batch, which the result event closes.
    const stop = strongestStop([open.stop, batch.stop].filter((signal) => signal !== undefined));
    const stopped = stop && !failure ? endingOfStop(stop) : undefined;
    const ending = stopped && context.hooks ? await context.hooks.stopping(stopped) : stopped;
    const ended = ending ? runRecords(ending, settings.clock()) : [];
    const found = foundTools(context, before, results);
    await log.append([...contentOfRefused(executions, event.timestamp), event, ...found.stored, ...ended]);
    context.ending = ending;
    tellFound(context, found);
    await context.outlet.put(event, ...found.given);
    if (failure) throw failure;
    return ending;
  } finally {
    await batch.discard();
  }
}

/**
 * Asks the tools of calls that a crash broke off what became of them, before a new prompt takes their place: none of them runs.
 *
 * @returns the open calls with the results that are known now
 * @throws RunError `store`, `hook`
 */
export async function settleOpen(
  context: RunContext,
  events: readonly LogEvent[],
  open: OpenCalls,
): Promise<OpenCalls> {
  noteOpen(context.unknown, open);
  const { registry } = context.settings;
  const asked = open.calls.flatMap(({ id }, index) => {
    const ran = open.started.has(id) && !open.finished.has(id) ? ranCall(open, index) : undefined;
    const canSay = ran && registry.has(ran.name) && registry.get(ran.name).verify && !isRedacted(ran.args);
    return canSay ? [{ index, call: { ...ran, id } }] : [];
  });
  if (asked.length === 0) return open;
  const batch = openBatch(context, events, open);
  try {
    for (const { call } of asked) batch.add(call, { ran: call, isOver: true });
    const { results: shown } = await runCalls(context, batch, events);
    const results = [...open.results];
    for (const [nth, { index }] of asked.entries()) results[index] = shown[nth] as ToolResult;
    return { ...open, results };
  } finally {
    await batch.discard();
  }
}

const afterTheEnd = "The call was skipped and did not run: an earlier call ended the run.";

const redactedArguments =
  "The call did not run: its arguments were redacted when they were stored. If it is still wanted, give the call again.";

/** The failure that was about to end the run when the process died. */
function failedCall({ calls, results, finished }: OpenCalls): RunError | undefined {
  const result = results.find(({ status }, index) => status === "failure" && finished.has(calls[index]?.id ?? ""));
  return result && new RunError("tool", `The tool ${result.tool} failed: ${result.content}`);
}

function mayRepeat({ settings: { registry } }: RunContext, { name }: ToolCall): boolean {
  const { idempotentHint, readOnlyHint } = registry.has(name) ? registry.get(name).annotations : {};
  return idempotentHint === true || readOnlyHint === true;
}

/** Whether a store redacted a string of the value, or the name of a property. */
function isRedacted(value: Json): boolean {
  if (typeof value === "string") return value.includes(redactionMark);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, part]) => name.includes(redactionMark) || isRedacted(part));
}
