import type { LogEvent, ToolResult } from "@cogency/protocol";
import {
  type ApprovalRecord,
  type Batch,
  HookContractError,
  ToolError,
  type ToolExecution,
  toToolResult,
} from "@cogency/tools";
import { RunError, runErrorOf } from "./errors.ts";
import { contentIn } from "./held-content.ts";
import { journal } from "./journal.ts";
import type { RunContext } from "./run-context.ts";
import { stopOfSignal } from "./stop-of-signal.ts";

/** What a batch that a crash broke off was begun with. */
interface Resumed {
  /** What was logged about its calls before. */
  approvals: readonly ApprovalRecord[];
  /** The log without what its calls brought before. */
  known: readonly LogEvent[];
}

/**
 * Open a batch of the run on what is stored: the model writes its calls knowing that, so what a call brings counts from
 * the next batch on.
 */
export function openBatch(
  { settings, log, meter, conversation, user, signal, metadata, assumed }: RunContext,
  events: readonly LogEvent[],
  { approvals, known = events }: Partial<Resumed> = {},
): Batch {
  const state = { events, metadata, step: meter.steps, usage: meter.total };
  const content = [...assumed, ...contentIn(known)];
  const { scope, clock, driver } = settings;
  return settings.executor.open(
    { conversation, user, state, signal, journal: journal(log, clock), scope, approvals, content },
    driver.batch,
  );
}

/**
 * Whether a deadline came before each call of the batch had begun. Such a batch gets no result: its calls stay open, and
 * so does a question that was put, for `recover` to go on with.
 */
export function isLeftOpen(executions: readonly ToolExecution[], signal: AbortSignal): boolean {
  if (!signal.aborted || stopOfSignal(signal).reason !== "time_limit") return false;
  return executions.some(({ outcome, started }) => outcome === "cancelled" && !started);
}

/** What became of a batch. */
export interface Outcome {
  executions: readonly ToolExecution[];
  /** What the model reads of them. */
  results: ToolResult[];
  /** The run ends with it once the results are stored. */
  failure: RunError | undefined;
}

/** @throws RunError `store`, or `hook` if one broke its contract where they are checked strictly */
export async function runCalls(batch: Batch): Promise<Outcome> {
  const { executions, failure } = await batch.run().then(
    (executions) => ({ executions, failure: undefined }),
    (error: unknown) => {
      if (!(error instanceof ToolError)) throw runErrorOf(error, error instanceof HookContractError ? "hook" : "store");
      return { executions: error.executions, failure: new RunError("tool", error.message, { cause: error }) };
    },
  );
  return { executions, results: executions.map(toToolResult), failure };
}
