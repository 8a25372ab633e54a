import { type Claim, isLeaseHeldError, type Key, type Store } from "@cogency/storage";
import { beginsTurn } from "@cogency/storage/adapter";
import type { RunResult } from "../run.ts";
import type { Settings } from "../settings.ts";

export interface SweepOptions {
  /**
   * Ends the sweep: no further conversation begins, and those that run are interrupted as by a deadline. They stay due, and the next
   * sweep goes on with them.
   */
  signal?: AbortSignal | undefined;
  /** Conversations that run at the same time. Defaults to 4. */
  concurrency?: number | undefined;
}

/** Goes on with a conversation until it is idle or waits. */
export type GoOn = (key: Key, signal: AbortSignal) => Promise<RunResult>;

/**
 * Goes on with every conversation of the agent's scope that is due: for its messages, for a run whose process has died, or for a
 * timer.
 *
 * - One that another run holds is looked at again when that run's lease ends.
 * - One whose run fails stays due, and can be claimed again when the claim has expired. Its log gets no `notice`: that would promise
 *   the time of the next try, which only a worker decides.
 *
 * @returns when the next conversation is due: Unix time in milliseconds by the clock of the store; undefined if none is
 */
export async function sweep(settings: Settings, goOn: GoOn, options: SweepOptions): Promise<number | undefined> {
  const { store, scope, lease } = settings;
  const { signal, concurrency = 4 } = options;
  const deadline = new AbortController();
  const stop = () => deadline.abort(new DOMException("The sweep was ended.", "TimeoutError"));
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop);
  const look = async (): Promise<void> => {
    while (!deadline.signal.aborted) {
      const [claim] = await store.claim({ owner: lease.owner, limit: 1, ttl: lease.ttl, scope });
      if (!claim) return;
      await lookAfter(settings, claim, goOn, deadline.signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, look));
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  return store.nextWake({ scope });
}

async function lookAfter({ store }: Settings, claim: Claim, goOn: GoOn, signal: AbortSignal): Promise<void> {
  const { status, error, stop } = await goOn(claim.key, signal);
  if (error?.code === "busy" && isLeaseHeldError(error.cause)) {
    await store.defer(claim, error.cause.expiresAt);
  } else if (signal.aborted && stop?.reason === "time_limit") {
    // The sweep ran out of time in the middle of this conversation.
    await store.defer(claim, claim.claimedAt);
  } else if (!error && status !== "waiting" && (await hasTurn(store, claim.key))) {
    // A run that was stopped leaves it to the next run.
    await store.defer(claim, claim.claimedAt);
  } else if (!error || error.code === "nothing_to_recover") {
    await store.done(claim);
  }
}

async function hasTurn(store: Store, key: Key): Promise<boolean> {
  const messages = await store.inbox(key);
  return messages.some(({ message }) => beginsTurn(message));
}
