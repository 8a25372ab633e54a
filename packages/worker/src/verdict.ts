import type { RunResult } from "@cogency/agent";
import { failureOf } from "@cogency/agent/failure";
import { isLeaseHeldError, isStoreError } from "@cogency/storage";
import { delayOf } from "./next-try.ts";
import type { LoggedTrouble } from "./trouble-of.ts";

/** What becomes of a claim whose run is over. */
export type Verdict =
  /** Everything that the conversation was due for is done. */
  | { type: "done" }
  /** There is more to do at once: another worker may take it. */
  | { type: "again"; why: "more_messages" | "handed_over" }
  /**
   * There is more to do at a time: Unix milliseconds by the clock of the store. `provider`: the model could not be asked; `failed`: the
   * run failed in another way, and a prompt waits.
   */
  | { type: "later"; at: number; why: "held" | "provider" | "failed" }
  /** It was tried often enough. A person has to mend something, and to release it. */
  | { type: "parked"; reason: string }
  /**
   * The store cannot say what is true. The claim ends by itself, and counts as an attempt: after too many the conversation is parked,
   * and a person sees it.
   */
  | { type: "left" };

export interface Circumstances {
  /** Whether the run was asked to end here. */
  isDraining: boolean;
  /** Unix time in milliseconds by the clock of the store. */
  now: number;
  /** Tries that may fail in the same way, one after another, before the conversation is parked. */
  attempts: number;
  /** Whether a message waits in the inbox that begins a turn: a prompt, or a notice. */
  hasTurn(): Promise<boolean>;
  /** The tries that have failed before. */
  trouble(): Promise<LoggedTrouble>;
}

/** Decides by the way in which a run ended; the table of the README says how. */
export async function verdictOf(
  result: Pick<RunResult, "status" | "error" | "stop">,
  { isDraining, now, attempts, hasTurn, trouble }: Circumstances,
): Promise<Verdict> {
  const { status, error, stop } = result;
  const cause = error?.cause;
  if (error?.code === "busy" && isLeaseHeldError(cause)) return { type: "later", at: cause.expiresAt, why: "held" };
  const failure = failureOf(result);
  if (failure && (failure.kind !== "own" || (await hasTurn()))) {
    const { code, kind, retryAfter } = failure;
    const { codes } = await trouble();
    const tries = codes.filter((one) => one === code).length + 1;
    const most = kind === "again" ? Number.POSITIVE_INFINITY : kind === "key" ? 2 * attempts : attempts;
    if (tries >= most) return { type: "parked", reason: reasonOf(code, tries, error?.message) };
    const at = now + delayOf(codes.length, retryAfter);
    return { type: "later", at, why: kind === "own" ? "failed" : "provider" };
  }
  if (error && (error.code === "store" || error.code === "not_stored" || isStoreError(cause))) return { type: "left" };
  if (isDraining && stop?.reason === "time_limit") return { type: "again", why: "handed_over" };
  // A run that was stopped leaves the prompts to the next one.
  if (status === "waiting" || !(await hasTurn())) return { type: "done" };
  return error ? { type: "left" } : { type: "again", why: "more_messages" };
}

/** For the person who runs the service. */
function reasonOf(code: string, tries: number, message = ""): string {
  const often = tries === 1 ? "once" : `${tries} times in a row`;
  return `Its run has failed ${often} (${code}): ${message.replace(/[.\s]+$/, "")}. Mend that, then release it.`;
}
