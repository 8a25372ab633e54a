import { type AgentEvent, callOf, type Json, type ToolCall, type ToolResult } from "@cogency/protocol";
import { redactionMark } from "@cogency/storage";
import { type StopSignal, strongestStop, type ToolExecution } from "@cogency/tools";
import { isLeftOpen, openBatch, runCalls } from "./batch.ts";
import { RunError } from "./errors.ts";
import { contentOfRefused } from "./held-content.ts";
import type { OpenCalls } from "./open-calls.ts";
import { resultEvent } from "./result-event.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Finish a batch that a crash broke off. Calls that ended keep their results. Calls that had not begun run now: what was
 * approved is not asked about again as long as the question would show the same, what was refused stays refused. Calls that had begun may have taken effect, so they
 * run again only if their tool says that this changes nothing more (`idempotentHint`, `readOnlyHint`). Where a call had
 * already ended the run, nothing more runs; nor does a call run whose arguments were redacted when they were stored.
 *
 * @throws RunError `tool` where a failure ends the run, `store`, `hook`
 */
export async function* resumeBatch(
  context: RunContext,
  open: OpenCalls,
): AsyncGenerator<AgentEvent, StopSignal | undefined> {
  const { log, settings } = context;
  const batch = openBatch(context, await log.load(), open);
  const results = [...open.owed];
  const started = new Set(open.started.keys());
  /** Where the calls of the batch stand among all. */
  const places: number[] = [];
  const failed = settings.endsAtFailure ? failedCall(open) : undefined;
  const isOver = open.stop !== undefined || failed !== undefined;
  try {
    for (const [place, stored] of open.calls.entries()) {
      const call = readable(stored);
      if (!call || open.finished.has(stored.id)) continue;
      const mayHaveRun = started.has(stored.id);
      // That its outcome is unknown is what it is owed.
      if (mayHaveRun && (isOver || !mayRepeat(context, open.started.get(stored.id) ?? stored.content))) continue;
      if (isOver) {
        results[place] = { ...(results[place] as ToolResult), content: afterTheEnd };
      } else if (isRedacted(call.args)) {
        results[place] = { ...(results[place] as ToolResult), content: redactedArguments };
      } else {
        batch.add(call);
        places.push(place);
      }
    }
    const { executions, results: shown, failure = failed } = await runCalls(batch);
    if (!failure && isLeftOpen(executions, context.signal)) return undefined;
    for (const [index, place] of places.entries()) {
      const execution = executions[index] as ToolExecution;
      results[place] = shown[index] as ToolResult;
      if (execution.started) started.add(execution.id);
    }
    const event = resultEvent(results, started.size, settings.clock());
    context.toolErrors += event.payload.failure_count;
    // Content first: it belongs to this turn.
    await log.append([...contentOfRefused(executions, event.timestamp), event]);
    yield event;
    if (failure) throw failure;
    context.metadata = batch.metadata;
    return strongestStop([open.stop, batch.stop].filter((signal) => signal !== undefined));
  } finally {
    await batch.discard();
  }
}

const afterTheEnd = "The call was skipped and did not run: an earlier call ended the run.";

const redactedArguments =
  "The call did not run: its arguments were redacted when they were stored. If it is still wanted, give the call again.";

/** The failure at which the run was to end when it broke off. */
function failedCall({ calls, owed, finished }: OpenCalls): RunError | undefined {
  const result = owed.find(({ status }, place) => status === "failure" && finished.has(calls[place]?.id ?? ""));
  return result && new RunError("tool", `The tool ${result.tool} failed: ${result.content}`);
}

/** What cannot be read cannot run; it is owed a failure. */
function readable(stored: { content: string; id?: string }): ToolCall | undefined {
  try {
    return callOf(stored);
  } catch {
    return undefined;
  }
}

/** Judged by what ran, which a hook may have made of another tool's call. */
function mayRepeat({ settings: { registry } }: RunContext, content: string): boolean {
  const name = readable({ content })?.name;
  if (name === undefined || !registry.has(name)) return false;
  const { idempotentHint, readOnlyHint } = registry.get(name).annotations;
  return idempotentHint === true || readOnlyHint === true;
}

/** A secret was taken out of a string of it, or of the name of a property. */
function isRedacted(value: Json): boolean {
  if (typeof value === "string") return value.includes(redactionMark);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, part]) => name.includes(redactionMark) || isRedacted(part));
}
