import type { Key, Lease, LeaseHeldError, Store } from "@cogency/storage";
import { backgroundTimer } from "./background-timer.ts";
import { isStoreFailure, RunError, runErrorOf } from "./errors.ts";
import { orAbandoned } from "./or-abandoned.ts";
import { within } from "./within.ts";

export interface LeaseSettings {
  /** Milliseconds. */
  readonly ttl: number;
  /** Every run's own name begins with it. */
  readonly owner: string;
  /** Whether a holder is known to be dead. */
  readonly isGone: (owner: string) => boolean | Promise<boolean>;
}

/** Makes a run the single writer of its conversation, as long as it lives. */
export interface RunLease {
  /** What the store is shown with every append. */
  readonly current: Pick<Lease, "token"> | undefined;
  /**
   * Become the writer, or become it again after the lease was lost. From then on it is renewed.
   *
   * @throws RunError `busy` at once while somebody else is, whose LeaseHeldError is the `cause`; `store`
   */
  take(): Promise<void>;
  /** The run is over: give it back, as far as the store lets. Never throws, and waits a short time only. */
  release(): Promise<void>;
}

/** @param signal nobody waits for an answer of `isGone` any more once it is aborted */
export function runLease(store: Store, key: Key, settings: LeaseSettings, signal: AbortSignal): RunLease {
  const { ttl, owner } = settings;
  const name = `${owner}#${crypto.randomUUID()}`;
  let lease: Lease | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const renewLater = (held: Lease) => {
    timer = backgroundTimer(ttl / 3, async () => {
      try {
        await held.renew();
      } catch {
        // A store that is away for a while is asked again; that the lease is lost shows at the next append.
      }
      if (lease === held && !isOver) renewLater(held);
    });
  };

  const release = async () => {
    isOver = true;
    clearTimeout(timer);
    leftBehind.add(name);
    const held = lease;
    await within(patience, async () => {
      await held?.release();
      if (held) leftBehind.delete(name);
    });
    if (leftBehind.has(name)) backgroundTimer(ttl, () => leftBehind.delete(name));
  };

  return {
    get current() {
      return lease;
    },
    async take() {
      const granted = await grant(store, key, name, settings, signal);
      clearTimeout(timer);
      lease = granted;
      // Asked for by an append that the run did not wait for any more.
      if (isOver) await release();
      else renewLater(granted);
    },
    release,
  };
}

/** Names of runs of this process that are over and may still hold a lease, because the store did not take it back. */
const leftBehind = new Set<string>();

/** How long a store may take to take a lease back, in milliseconds, before the run is over all the same. */
const patience = 250;

/** How often a dead owner may turn up before the conversation counts as busy. */
const mostTakeovers = 3;

/**
 * Asks for the lease. One that a dead owner has left is asked for under its name, which takes it over, and given back;
 * then everybody who found it dead asks under a name of their own, so that only one of them gets it.
 */
async function grant(
  store: Store,
  key: Key,
  name: string,
  { ttl, isGone }: LeaseSettings,
  signal: AbortSignal,
): Promise<Lease> {
  let dead: string | undefined;
  for (let takeovers = 0; ; takeovers++) {
    try {
      if (dead !== undefined) await (await store.lease(key, { owner: dead, ttl })).release();
      return await store.lease(key, { owner: name, ttl });
    } catch (error) {
      if (!isHeld(error)) throw runErrorOf(error, "store");
      if (takeovers === mostTakeovers || !(await isDead(error, isGone, signal))) throw runErrorOf(error, "busy");
      dead = error.owner;
    }
  }
}

function isHeld(error: unknown): error is LeaseHeldError {
  return isStoreFailure(error, "lease_held");
}

async function isDead(held: LeaseHeldError, isGone: LeaseSettings["isGone"], signal: AbortSignal): Promise<boolean> {
  if (leftBehind.has(held.owner)) return true;
  try {
    return await orAbandoned(async () => isGone(held.owner), signal, false);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new RunError("busy", `${held.message} Whether it is gone could not be found out: ${problem}`, { cause });
  }
}
