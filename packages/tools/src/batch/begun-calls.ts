import { type AbortScope, bounded, isPromise, type Slots } from "@cogency/async";
import type { Approval } from "../approval/approval.ts";
import { decide } from "../approval/approval-policy.ts";
import { outcomeUnknownError, timeoutError } from "../errors.ts";
import type { ToolExecution } from "../execution.ts";
import type { BatchContext, BegunCall } from "../executor.ts";
import type { LoggedCall } from "../logged-call.ts";
import { messageOf } from "../message-of.ts";
import type { Observer } from "../observer.ts";
import type { Registry } from "../registry.ts";
import type { CallOutcome } from "../tool.ts";
import { executionOf, now, skipped } from "./call-ending.ts";
import type { Finalize } from "./call-pipeline.ts";
import { type Checked, checkCall } from "./check-call.ts";
import type { JournalGuard } from "./journal-guard.ts";

interface BegunParts {
  registry: Registry;
  approval: Approval | undefined;
  context: BatchContext;
  coerce: "json" | "lexical";
  /** Milliseconds for tools that set no limit. */
  timeout: number;
  scope: AbortScope;
  slots: Slots;
  journal: JournalGuard;
  observe: Observer;
  finalize: Finalize;
}

/**
 * Finds out what became of a call whose body an earlier run began. Resolves with its execution, or with undefined if the call is to
 * run: it had no effect, or repeating it changes nothing more. Never rejects.
 */
export type SettleBegun = (
  requested: LoggedCall,
  begun: BegunCall,
  index: number,
) => Promise<ToolExecution | undefined>;

/** What is known of the outcome. `problem` says why it could not be found out. */
type Found = { outcome: "done"; value: unknown; checked: Checked } | { outcome: "not_done" } | Unknown;

interface Unknown {
  outcome: "unknown";
  problem?: string;
}

export function createSettleBegun(parts: BegunParts): SettleBegun {
  const { registry, approval, context, scope, slots, journal, observe, finalize } = parts;

  async function find(call: LoggedCall): Promise<Found> {
    const tool = registry.has(call.name) ? registry.get(call.name) : undefined;
    // A tool that the policy of now denies does nothing at all.
    if (!tool?.verify || decide(approval, call, tool, context).decision === "deny") return { outcome: "unknown" };
    const slot = slots.take();
    const giveBack = isPromise(slot) ? await slot : slot;
    const timeout = Math.min(tool.timeout ?? parts.timeout, longestVerify);
    const controller = new AbortController();
    const { conversation, user } = context;
    const verifyContext = { call, signal: controller.signal, conversation, user };
    const ask = async (): Promise<Found> => {
      const checked = await checkCall(tool, call, parts);
      return found(await tool.verify?.(checked.args, verifyContext), checked);
    };
    const stop = (end: "timeout" | "aborted", reason: unknown) =>
      controller.abort(end === "timeout" ? timeoutError(call.name, timeout) : reason);
    const settlement = scope.isAborted() ? undefined : await bounded(ask, { scope, timeout, grace: 0, stop });
    giveBack();
    switch (settlement?.end) {
      case "fulfilled":
        return settlement.value;
      case "rejected":
        return unknown(messageOf(settlement.error) || "it failed without a message");
      case "timeout":
        return unknown(`it took longer than ${timeout} ms`);
      default:
        return { outcome: "unknown" };
    }
  }

  async function settle(requested: LoggedCall, begun: BegunCall, index: number): Promise<ToolExecution | undefined> {
    const call = begun.ran ? Object.freeze({ ...begun.ran, id: requested.id }) : requested;
    const startedAt = now();
    const finding = await find(call);
    switch (finding.outcome) {
      case "done": {
        const { args, brings } = finding.checked;
        const ending = { outcome: "success", value: finding.value, settled: true } as const;
        const finished = { call, requested, tool: registry.get(call.name), args, index, brings };
        // No body says what has come of all that may come.
        const execution = { ...(await finalize(finished, ending, startedAt)), brings };
        await journal.write((entries) => entries.finished(execution));
        return execution;
      }
      case "not_done":
        await journal.write((entries) => entries.notDone?.(call));
        if (!begun.isOver) return undefined;
        return executionOf({ call, requested }, skipped(call.name, "it had begun before, without any effect"));
      case "unknown": {
        if (!begun.isOver && mayRepeat(call.name)) return undefined;
        const error = outcomeUnknownError(call.name, finding.problem);
        return executionOf({ call, requested }, { outcome: "cancelled", error, settled: false }, startedAt);
      }
    }
  }

  function mayRepeat(name: string): boolean {
    if (!registry.has(name)) return false;
    const { idempotentHint, readOnlyHint } = registry.get(name).annotations;
    return idempotentHint === true || readOnlyHint === true;
  }

  return async (requested, begun, index) => {
    const execution = await settle(requested, begun, index);
    // Nothing has happened to a call whose outcome is unknown.
    if (execution?.settled) observe({ type: "completed", execution });
    return execution;
  };
}

/** Milliseconds that `verify` may take, whatever the call may: a run that begins waits for it. */
const longestVerify = 120_000;

/** Whatever a tool that is not type-checked may return. */
function found(given: CallOutcome | undefined, checked: Checked): Found {
  switch (given?.outcome) {
    case "done":
      return { outcome: "done", value: given.value, checked };
    case "not_done":
    case "unknown":
      return { outcome: given.outcome };
    default:
      return unknown("it gave no outcome");
  }
}

function unknown(problem: string): Unknown {
  return { outcome: "unknown", problem };
}
