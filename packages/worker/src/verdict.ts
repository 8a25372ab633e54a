import type { RunResult } from "@cogency/agent";
import { isProviderError, type ProviderError } from "@cogency/provider";
import { isLeaseHeldError, isStoreError } from "@cogency/storage";

/** What becomes of a claim whose run is over. */
export type Verdict =
  /** Everything that the conversation was due for is done. */
  | { type: "done" }
  /** There is more to do at once: another worker may take it. */
  | { type: "again"; why: "more_messages" | "handed_over" }
  /** There is more to do at a time: Unix milliseconds by the clock of the store. */
  | { type: "later"; at: number; why: "held" | "provider" }
  /**
   * The store cannot say what is true, or the run failed while prompts wait behind it. The claim ends by itself, and counts as an
   * attempt: after too many the conversation is parked, and a person sees it.
   */
  | { type: "left" };

export interface Circumstances {
  /** Whether the run was asked to end here. */
  isDraining: boolean;
  /** Unix time in milliseconds by the clock of the store. */
  now: number;
  /** Whether a prompt waits in the inbox. */
  hasPrompt(): Promise<boolean>;
}

/**
 * Decides by the way in which a run ended.
 *
 * - Another run holds the conversation: later, when its lease ends.
 * - The provider is down, too busy or refuses the key: later, when it says or in `retryAfter` milliseconds. The conversation
 *   is not to blame.
 * - The run failed, and another try may fail in the same way: done, and the next message begins another try. If a prompt already
 *   waits: left, because there may never be a next message.
 */
export async function verdictOf(
  { status, error, stop }: Pick<RunResult, "status" | "error" | "stop">,
  { isDraining, now, hasPrompt }: Circumstances,
): Promise<Verdict> {
  const cause = error?.cause;
  if (error?.code === "busy" && isLeaseHeldError(cause)) return { type: "later", at: cause.expiresAt, why: "held" };
  if (error?.code === "provider" && isProviderError(cause) && mayWorkLater(cause)) {
    const delay = cause.retryAfter === undefined ? retryAfter : cause.retryAfter * 1000;
    return { type: "later", at: now + Math.min(delay, longestDelay), why: "provider" };
  }
  if (error && (error.code === "store" || error.code === "not_stored" || isStoreError(cause))) return { type: "left" };
  if (isDraining && stop?.reason === "time_limit") return { type: "again", why: "handed_over" };
  // A run that was stopped leaves the prompts to the next one.
  if (status === "waiting" || !(await hasPrompt())) return { type: "done" };
  return error ? { type: "left" } : { type: "again", why: "more_messages" };
}

/** Milliseconds until a provider that names no time is asked again. */
const retryAfter = 10_000;

/** Milliseconds. A server that asks for more is asked again after this. */
const longestDelay = 3_600_000;

/** Whether the next try may succeed though the conversation is the same: the server or the key may be mended meanwhile. */
function mayWorkLater({ retryable, code }: ProviderError): boolean {
  return retryable || code === "authentication" || code === "permission" || code === "missing_key";
}
