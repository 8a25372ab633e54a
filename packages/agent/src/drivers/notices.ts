import type { ErrorEvent } from "@cogency/protocol";
import type { RetryEvent } from "@cogency/provider";

/** The error event of a request that is made again: it says why nothing comes. */
export function retryNotice({ message, attempt, delay }: RetryEvent, timestamp: number): ErrorEvent {
  const pause = delay > 0 ? `in ${(delay / 1000).toFixed(1)} s` : "now";
  const content = `${asSentence(message)} Try ${attempt + 1} begins ${pause}.`;
  return { type: "error", code: "provider_retry", content, timestamp };
}

/** The error event of a session that could not be opened; the run goes on without one. */
export function sessionNotice(message: string, timestamp: number): ErrorEvent {
  const content = `No session could be opened: ${asSentence(message)} The run goes on without one.`;
  return { type: "error", code: "session_failed", content, timestamp };
}

/** The error event of a provider that is down; the run goes on with the next one. */
export function fallbackNotice(down: string, next: string, message: string, timestamp: number): ErrorEvent {
  const content = `${down} is down: ${asSentence(message)} The run goes on with ${next}.`;
  return { type: "error", code: "provider_fallback", content, timestamp };
}

function asSentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`;
}
