import type { RunFinishedOutcome } from "@ag-ui/core";
import type { Usage } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { TurnEnding } from "@cogency/server/bridge";
import type { AgUiEvent } from "../ag-ui-event.ts";
import { interruptOf } from "./interrupt.ts";
import { tokenUsageOf } from "./usage.ts";

interface EndedRun {
  readonly threadId: string;
  readonly runId: string;
  /** The questions that are open. */
  readonly open: readonly QuestionPart[];
  /** What the run has used; undefined if it made no request. */
  readonly usage: Usage | undefined;
}

/** The last event of a run. */
export function runEnd(ending: TurnEnding, { threadId, runId, open, usage }: EndedRun): AgUiEvent {
  const { status, code, message } = ending;
  const used = usage && { usage: [tokenUsageOf(usage)] };
  if (status === "failed" || status === "parked") {
    return { type: "RUN_ERROR", message: message ?? "The run failed.", code: code ?? status, ...used };
  }
  const stop = status === "stopped" && {
    result: { stopped: { ...(code !== undefined && { code }), ...(message !== undefined && { message }) } },
  };
  return { type: "RUN_FINISHED", threadId, runId, outcome: outcomeOf(status, open), ...stop, ...used };
}

function outcomeOf(status: TurnEnding["status"], open: readonly QuestionPart[]): RunFinishedOutcome {
  if (status === "cancelled") return { type: "cancelled" };
  if (status !== "waiting") return { type: "success" };
  const interrupts = open.filter(({ client }) => !client).map(interruptOf);
  if (interrupts.length > 0) return { type: "interrupt", interrupts };
  // The calls of tools that the client runs: it sends their results with the next input.
  return { type: "success", pendingToolCallIds: open.map(({ call }) => call) };
}
