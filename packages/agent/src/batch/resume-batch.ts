import { callOf, type Json, type ToolCall, type ToolResult } from "@cogency/protocol";
import { redactionMark } from "@cogency/storage";
import { strongestStop, type ToolExecution } from "@cogency/tools";
import { type Ending, endingOfStop, runRecords } from "../ending.ts";
import { RunError } from "../errors.ts";
import { contentOfRefused } from "../log/held-content.ts";
import type { RunContext } from "../run-context.ts";
import { foundTools, tellFound } from "./found-tools.ts";
import { endingOfWaiting, isLeftOpen, openBatch, runCalls } from "./open-batch.ts";
import type { OpenCalls } from "./open-calls.ts";
import { resultEvent } from "./result-event.ts";

/**
 * Finishes a batch that a crash broke off.
 *
 * - A call that ended keeps its result.
 * - A call that had not begun runs now. An approval still holds if the question would show the same; a refusal stands.
 * - A call that had begun may have taken effect. It runs again only if its tool claims that repeating it changes nothing
 *   more (`idempotentHint`, `readOnlyHint`).
 * - No call runs if an earlier call had ended the run, or if its arguments were redacted when they were stored.
 *
 * @throws RunError `tool` where a failure ends the run, `store`, `hook`
 */
export async function resumeBatch(context: RunContext, open: OpenCalls): Promise<Ending | undefined> {
  const { log, settings } = context;
  const before = await log.load();
  const batch = openBatch(context, before, open);
  const results = [...open.results];
  const started = new Set(open.started.keys());
  /** The index of each call of the batch among all open calls. */
  const indexes: number[] = [];
  const failed = settings.endsAtFailure ? failedCall(open) : undefined;
  const isOver = open.stop !== undefined || failed !== undefined;
  try {
    for (const [index, stored] of open.calls.entries()) {
      const call = callIn(stored);
      if (!call || open.finished.has(stored.id)) continue;
      const mayHaveRun = started.has(stored.id);
      // Its result says already that the outcome is unknown.
      if (mayHaveRun && (isOver || !mayRepeat(context, open.started.get(stored.id) ?? stored.content))) continue;
      if (isOver) {
        results[index] = { ...(results[index] as ToolResult), content: afterTheEnd };
      } else if (isRedacted(call.args)) {
        results[index] = { ...(results[index] as ToolResult), content: redactedArguments };
      } else {
        batch.add(call);
        indexes.push(index);
      }
    }
    const { executions, results: shown, failure = failed } = await runCalls(batch);
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
    context.meter.toolCalls += results.length;
    // Content first: it belongs to this batch, which the result event closes.
    const stop = strongestStop([open.stop, batch.stop].filter((signal) => signal !== undefined));
    const ending = stop && !failure ? endingOfStop(stop) : undefined;
    const ended = ending ? runRecords(ending, settings.clock()) : [];
    const found = foundTools(context, before, results);
    await log.append([...contentOfRefused(executions, event.timestamp), event, ...found.stored, ...ended]);
    context.ending = ending;
    tellFound(context, found);
    await context.outlet.put(event, ...found.given);
    if (failure) throw failure;
    context.metadata = batch.metadata;
    return ending;
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

/** The stored call; undefined if the text is not a call. Then it cannot run, and its result is a failure. */
function callIn(stored: { content: string; id?: string }): ToolCall | undefined {
  try {
    return callOf(stored);
  } catch {
    return undefined;
  }
}

/** Whether the call that ran may run again. `content` is the call as it ran, which a hook may have rewritten. */
function mayRepeat({ settings: { registry } }: RunContext, content: string): boolean {
  const name = callIn({ content })?.name;
  if (name === undefined || !registry.has(name)) return false;
  const { idempotentHint, readOnlyHint } = registry.get(name).annotations;
  return idempotentHint === true || readOnlyHint === true;
}

/** Whether a store redacted a string of the value, or the name of a property. */
function isRedacted(value: Json): boolean {
  if (typeof value === "string") return value.includes(redactionMark);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, part]) => name.includes(redactionMark) || isRedacted(part));
}
