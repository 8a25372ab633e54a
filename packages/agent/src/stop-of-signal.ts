import type { StopSignal } from "@cogency/tools";

/**
 * Why the run ends when its signal has aborted: a deadline if the reason is a TimeoutError, as that of
 * `AbortSignal.timeout` is; otherwise a user cancelled it. The reason that was given is kept.
 */
export function stopOfSignal({ reason: thrown }: AbortSignal): StopSignal {
  const reason = reasonText(thrown);
  const context = reason === undefined ? {} : { reason };
  const because = reason === undefined ? "." : `: ${reason}`;
  return isTimeout(thrown)
    ? { reason: "time_limit", message: `The run was interrupted by its deadline${because}`, context }
    : { reason: "user_requested", message: `The run was cancelled${because}`, context };
}

/** By its name: the error may come from another realm. */
function isTimeout(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "name" in thrown && thrown.name === "TimeoutError";
}

/** Undefined where `abort` was called without a reason that says anything: the platform then makes up one of its own. */
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
