import type { PromptResponse, RequestError } from "@agentclientprotocol/sdk";
import type { RunResult } from "@cogency/agent";
import { failureOf } from "@cogency/agent/failure";
import type { TurnEnding } from "@cogency/server/bridge";
import { refusal } from "../connection/refusal.ts";

type StopReason = PromptResponse["stopReason"];

/** Why a turn ended that did not fail. */
export function stopReason({ status, stop }: Exclude<RunResult, { status: "failed" }>): StopReason {
  if (!stop) return "end_turn";
  if (stop.reason === "finish_reason") return finishes.get(stop.context.finish) ?? "end_turn";
  if (status !== "stopped") return "end_turn";
  if (stop.reason === "user_requested") return "cancelled";
  return stop.reason === "token_limit" ? "max_tokens" : "max_turn_requests";
}

const finishes: ReadonlyMap<unknown, StopReason> = new Map([
  ["length", "max_tokens"],
  ["content_filter", "refusal"],
] as const);

/** How a turn ended, for what shows it. */
export function endingOf({ status, stop, error }: RunResult): TurnEnding {
  if (error) return { status: "failed", code: error.code, message: error.message };
  if (stop?.reason === "user_requested") return { status: "cancelled" };
  return { status, ...(stop && { code: stop.reason, message: stop.message }) };
}

/** Why a turn failed, as the person reads it. */
export function failure(
  result: Extract<RunResult, { status: "failed" }>,
  explain: ((error: Error) => string | undefined) | undefined,
): RequestError {
  const { error } = result;
  const told = failureOf(result);
  const code = told?.code ?? error.code;
  const message = explain?.(error) ?? told?.says ?? "The agent cannot go on with the session now.";
  return refusal(keyCodes.has(code) ? "authentication" : "internal", message, { code });
}

const keyCodes: ReadonlySet<string> = new Set(["missing_key", "authentication"]);
