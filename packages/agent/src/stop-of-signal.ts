import type { StopSignal } from "@cogency/tools/host";
import { Interruption } from "./interruption.ts";

/**
 * The stop signal of a run whose signal has aborted: `time_limit` if the reason is a TimeoutError, as with
 * `AbortSignal.timeout` and `budget.seconds`, else `user_requested`. The text of the reason is kept.
 */
export function stopOfSignal({ reason: thrown }: AbortSignal): StopSignal {
  if (thrown instanceof Interruption) return thrown.stop;
  const reason = reasonText(thrown);
  const context = reason === undefined ? {} : { reason };
  const because = reason === undefined ? "." : `: ${reason}`;
  return isTimeout(thrown)
    ? { reason: "time_limit", message: `The run was interrupted by its deadline${because}`, context }
    : { reason: "user_requested", message: `The run was cancelled${because}`, context };
}

/** Compares the name, because the error may come from another realm. */
function isTimeout(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "name" in thrown && thrown.name === "TimeoutError";
}

/** The text of the reason. Undefined if `abort` was called without one: then the platform made one up. */
function reasonText(thrown: unknown): string | undefined {
  const isMadeUp = thrown instanceof Error && thrown.name === madeUp.name && thrown.message === madeUp.message;
  if (thrown === undefined || thrown === null || isMadeUp) return undefined;
  if (typeof thrown !== "object") return String(thrown) || undefined;
  return thrown instanceof Error ? thrown.message || thrown.name : jsonText(thrown);
}

const madeUp: Error = AbortSignal.abort().reason;

function jsonText(thrown: object): string {
  try {
    return JSON.stringify(thrown) ?? "an object";
  } catch {
    return "an object that cannot be written as JSON";
  }
}
