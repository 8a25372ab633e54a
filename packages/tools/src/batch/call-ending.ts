import type { Settlement } from "@cogency/async";
import { isCallLeft } from "../call-left.ts";
import { cancelledError, ToolError, threwError, timeoutError } from "../errors.ts";
import type { ToolExecution } from "../execution.ts";
import type { LoggedCall } from "../logged-call.ts";
import type { QuestionRecord } from "../questions/question-record.ts";
import { type AttachmentLimits, checkedAttachments } from "../result/checked-attachments.ts";
import { isAttachedValue } from "../result/with-attachments.ts";
import { type StopSignal, stopBehind } from "../stop-run.ts";

/** How a call ended, without its times. */
export type CallEnding = Pick<
  ToolExecution,
  | "outcome"
  | "value"
  | "attachments"
  | "error"
  | "settled"
  | "stop"
  | "resultLimit"
  | "brings"
  | "question"
  | "waitsFor"
>;

interface Called {
  call: LoggedCall;
  /** The call as the model wrote it; the same object as `call` unless a hook or coercion changed it. */
  requested: LoggedCall;
}

/** The execution of a call. If its body never began, `startedAt` is the time at which it ended. */
export function executionOf({ call, requested }: Called, ending: CallEnding, startedAt?: number): ToolExecution {
  const completedAt = now();
  return {
    id: call.id,
    call,
    ...ending,
    ...(call !== requested && { requested }),
    started: startedAt !== undefined,
    startedAt: startedAt ?? completedAt,
    completedAt,
  };
}

/** Unix time in seconds. */
export function now(): number {
  return Date.now() / 1000;
}

/** The ending of a call whose body ran. */
export function bodyEnding(tool: string, timeout: number, settlement: Settlement<unknown>): CallEnding {
  const left = "error" in settlement && isCallLeft(settlement.error) ? settlement.error : undefined;
  if (left && settlement.end !== "timeout") return { ...waiting(tool), waitsFor: left.questions };
  switch (settlement.end) {
    case "fulfilled":
      return { outcome: "success", value: settlement.value, settled: true };
    case "rejected": {
      const stop = stopBehind(settlement.error);
      return stop ? stoppedRun(stop) : failed(tool, settlement.error);
    }
    case "timeout":
      return stopped("failure", timeoutError(tool, timeout, aftermath[settlement.work]), settlement.work);
    case "aborted":
      return stopped("cancelled", cancelledError(tool, lastWords(settlement)), settlement.work);
  }
}

/** The ending with the attachments of its value apart from it; a failure if they are not as they may be. */
export function unpacked(tool: string, ending: CallEnding, limits: AttachmentLimits): CallEnding {
  if (!isAttachedValue(ending.value)) return ending;
  const { value, attachments: given } = ending.value;
  try {
    const attachments = checkedAttachments(given, limits);
    return { ...ending, value, ...(attachments.length > 0 && { attachments }) };
  } catch (error) {
    const { value: _, ...rest } = ending;
    return { ...rest, ...failed(tool, error), settled: rest.settled };
  }
}

export function failed(tool: string, thrown: unknown): CallEnding {
  return { outcome: "failure", error: asError(tool, thrown), settled: true };
}

/** The words that the model reads. Who denies gives the reason: the policy, a concern, a person (`judge.ts`). */
export function deniedCall(tool: string, reason: string, cause: unknown): CallEnding {
  const message = `${tool} was refused and did not run: ${reason}`;
  return {
    outcome: "denied",
    error: new ToolError("denied", message, { tool, reason }, optional(cause)),
    settled: true,
  };
}

export function blocked(tool: string, hook: string, reason: string, cause?: unknown): CallEnding {
  const text = String(reason);
  const message = `${tool} was blocked and did not run: ${text}`;
  const error = new ToolError("blocked", message, { tool, hook, reason: text }, optional(cause));
  return { outcome: "blocked", error, settled: true };
}

function optional(cause: unknown): ErrorOptions | undefined {
  return cause === undefined ? undefined : { cause };
}

/** The ending of a call that an earlier call caused to be skipped. */
export function skipped(tool: string, because: string): CallEnding {
  const error = new ToolError("skipped", `${tool} was skipped and did not run: ${because}.`, { tool });
  return { outcome: "skipped", error, settled: true };
}

/** The ending of a call whose question has no answer yet; without a question, of a call that must run after such a call. */
export function waiting(tool: string, question?: QuestionRecord): CallEnding {
  const error = cancelledError(tool, ": it waits for an answer");
  return { outcome: "waiting", error, settled: true, ...(question && { question }) };
}

export function neverBegun(tool: string): CallEnding {
  return { outcome: "cancelled", error: cancelledError(tool, " before it began"), settled: true };
}

/** The ending of a call that threw StopRun: it succeeded. */
function stoppedRun(signal: StopSignal): CallEnding {
  const told = signal.message === "" ? "" : `: ${signal.message}`;
  return { outcome: "success", value: `The run was stopped${told}`, settled: true, stop: signal };
}

/** The execution of a call that began early, when its batch was discarded. */
export function voided({ value: _, attachments: __, stop: ___, ...execution }: ToolExecution): ToolExecution {
  const error = cancelledError(execution.call.name, ": its block was given up");
  return { ...execution, outcome: "cancelled", error };
}

function stopped(outcome: "failure" | "cancelled", error: Error, work: keyof typeof aftermath): CallEnding {
  return { outcome, error, settled: work !== "pending" };
}

/** Tells the model whether a body that had to stop may have taken effect. */
const aftermath = {
  fulfilled: ", but it completed as it was being stopped",
  rejected: "",
  pending: " and did not stop when told: it may have completed",
};

/** A body that was asked to stop may throw an error with the code `cancelled`, whose message says how far it had come. */
function lastWords({ work, error }: Extract<Settlement<unknown>, { end: "timeout" | "aborted" }>): string {
  const said = isReadableError(error) && (error as { code?: unknown }).code === "cancelled" ? error.message : "";
  return said === "" ? aftermath[work] : `: ${said.replace(/\.$/, "")}`;
}

function asError(tool: string, thrown: unknown): Error {
  return isReadableError(thrown) ? thrown : threwError(tool, thrown);
}

/** Whether a thrown value is an Error that can be read: it may be a proxy, or have getters that throw. */
function isReadableError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error && typeof thrown.message === "string";
  } catch {
    return false;
  }
}
