import type { Agent, RunResult } from "@cogency/agent";
import { failureOf } from "@cogency/agent/failure";
import type { Claim, Store } from "@cogency/storage";
import { beginsTurn } from "@cogency/storage/adapter";
import { keepClaim } from "./keep-claim.ts";
import { noticeOf, storeNotice } from "./notice.ts";
import { type LoggedTrouble, troubleOf } from "./trouble-of.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export interface Attendance {
  agent: Pick<Agent, "recover">;
  store: Store;
  /** Milliseconds of the claim. */
  ttl: number;
  /** Tries that may fail in a row before a conversation is parked. */
  attempts: number;
  /** Ends the run before its next step. */
  handOver: AbortSignal;
  /** Ends the run at once. */
  signal: AbortSignal;
}

/** How a worker has looked after one conversation. */
export interface Attended {
  claim: Claim;
  verdict: Verdict;
  /** Whether the claim still stood, so that the verdict counts. If not, another worker has it. */
  stood: boolean;
  result: RunResult;
  /** Milliseconds since the claim. */
  elapsed: number;
}

/**
 * Goes on with a claimed conversation until it is idle, waits for a person or has used up its budget, and settles the claim. A failure
 * leaves a notice in the log.
 *
 * @throws StoreError if the claim cannot be settled; it ends by itself then, and is claimed again
 */
export async function attend(claim: Claim, attendance: Attendance): Promise<Attended> {
  const { agent, store, ttl, attempts, handOver, signal } = attendance;
  const begun = performance.now();
  const ended = new AbortController();
  const keeping = keepClaim(claim, { store, ttl, signal: ended.signal });
  const result = await agent
    .recover({ ...claim.key, leaveCancelled: true, handOver, signal })
    .result.finally(() => ended.abort());
  const now = claim.claimedAt + performance.now() - begun;
  let read: Promise<LoggedTrouble> | undefined;
  const trouble = () => {
    read ??= troubleOf(store, claim.key);
    return read;
  };
  const verdict = await verdictOf(result, {
    isDraining: handOver.aborted || signal.aborted,
    now,
    attempts,
    hasTurn: async () => (await store.inbox(claim.key)).some(({ message }) => beginsTurn(message)),
    trouble,
  });
  const failure = failureOf(result);
  const notice = failure && noticeOf(failure, verdict, await trouble(), now);
  if (notice) await storeNotice(store, claim.key, notice, (await trouble()).last);
  await keeping;
  const stood = await settle(store, claim, verdict);
  return { claim, verdict, stood, result, elapsed: performance.now() - begun };
}

async function settle(store: Store, claim: Claim, verdict: Verdict): Promise<boolean> {
  switch (verdict.type) {
    case "done":
      return store.done(claim);
    case "again":
      // At once: in the past.
      return store.defer(claim, claim.claimedAt);
    case "later":
      return store.defer(claim, verdict.at);
    case "parked":
      return park(store, claim, verdict.reason);
    case "left":
      return true;
  }
}

/**
 * Parks a conversation, unless a cancel came since the claim: its sender, who releases what is parked, may have found it not parked
 * yet. Returns whether it is parked.
 */
async function park(store: Store, claim: Claim, reason: string): Promise<boolean> {
  if (!(await store.park(claim, reason))) return false;
  const messages = await store.inbox(claim.key);
  const isCancelled = messages.some(({ message, at }) => message.kind === "cancel" && at >= claim.claimedAt);
  if (isCancelled) await store.unpark(claim.key);
  return !isCancelled;
}
