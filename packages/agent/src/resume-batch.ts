import { type AgentEvent, callOf, type ToolCall, type ToolResult } from "@cogency/protocol";
import type { StopSignal } from "@cogency/tools";
import { openBatch, runCalls } from "./batch.ts";
import type { OpenCalls } from "./open-calls.ts";
import { resultEvent } from "./result-event.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Finish a batch that a crash broke off. Calls that ended keep their results. Calls that had not begun run now: what was
 * approved is not asked about again, what was refused stays refused. Calls that had begun may have taken effect, so they
 * run again only if their tool says that this changes nothing more (`idempotentHint`, `readOnlyHint`).
 */
export async function* resumeBatch(
  context: RunContext,
  open: OpenCalls,
): AsyncGenerator<AgentEvent, StopSignal | undefined> {
  const { log, settings } = context;
  const batch = openBatch(context, await log.load(), open.approvals);
  const results = new Map<string, ToolResult>();
  const started = new Set(open.started);
  try {
    for (const [index, stored] of open.calls.entries()) {
      const call = readable(stored);
      if (!call || open.finished.has(stored.id)) continue;
      if (!started.has(stored.id) || mayRepeat(context, call)) batch.add(call);
      else results.set(stored.id, { ...(open.owed[index] as ToolResult), content: unknownOutcome });
    }
    const { executions, results: shown, failure } = await runCalls(batch);
    for (const [index, { id, started: hasBegun }] of executions.entries()) {
      results.set(id, shown[index] as ToolResult);
      if (hasBegun) started.add(id);
    }
    const all = open.calls.map(({ id }, index) => results.get(id) ?? (open.owed[index] as ToolResult));
    const event = resultEvent(all, started.size, settings.clock());
    context.toolErrors += event.payload.failure_count;
    await log.append([event]);
    yield event;
    if (failure) throw failure;
    context.metadata = batch.metadata;
    return batch.stop;
  } finally {
    await batch.discard();
  }
}

const unknownOutcome =
  "outcome unknown: the call had begun when the run broke off, and it may have completed. Look before you do it again.";

/** What cannot be read cannot run; it is owed a failure. */
function readable(stored: OpenCalls["calls"][number]): ToolCall | undefined {
  try {
    return callOf(stored);
  } catch {
    return undefined;
  }
}

function mayRepeat({ settings: { registry } }: RunContext, { name }: ToolCall): boolean {
  if (!registry.has(name)) return true;
  const { idempotentHint, readOnlyHint } = registry.get(name).annotations;
  return idempotentHint === true || readOnlyHint === true;
}
