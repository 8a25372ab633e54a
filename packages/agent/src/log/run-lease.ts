import { settlesWithin, startTimer, type Timer } from "@cogency/async";
import type { Key, Lease, LeaseHeldError, Store } from "@cogency/storage";
import { isStoreFailure, RunError, runErrorOf } from "../errors.ts";
import { flat, randomId } from "../flat-text.ts";
import { orAbandoned } from "./or-abandoned.ts";

export interface LeaseSettings {
  /** Milliseconds. */
  readonly ttl: number;
  /** The name of each run's lease begins with it. */
  readonly owner: string;
  /** Whether the holder of a lease is known to be dead. */
  readonly isGone: (owner: string) => boolean | Promise<boolean>;
}

/** Makes a run the only writer of its conversation until the run is over. */
export interface RunLease {
  /** The lease that the store checks at every append. */
  readonly current: Pick<Lease, "token"> | undefined;
  /**
   * Takes the lease, or takes it again after it was lost. From then on the lease is renewed.
   *
   * @throws RunError `busy` at once while another owner holds the lease, with the LeaseHeldError as its `cause`; `store`
   */
  take(): Promise<void>;
  /** Gives the lease back when the run is over. Never throws, and waits at most 250 ms for the store. */
  release(): Promise<void>;
}

/** @param signal ends the wait for an answer of `isGone` when it aborts */
export function runLease(store: Store, key: Key, settings: LeaseSettings, signal: AbortSignal): RunLease {
  return new StoreLease(store, key, settings, signal);
}

class StoreLease implements RunLease {
  current: Lease | undefined;
  readonly #store: Store;
  readonly #key: Key;
  readonly #settings: LeaseSettings;
  readonly #signal: AbortSignal;
  readonly #name: string;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(store: Store, key: Key, settings: LeaseSettings, signal: AbortSignal) {
    this.#store = store;
    this.#key = key;
    this.#settings = settings;
    this.#signal = signal;
    this.#name = flat(`${settings.owner}#${randomId()}`);
  }

  async take(): Promise<void> {
    const granted = await grant(this.#store, this.#key, this.#name, this.#settings, this.#signal);
    this.#timer?.stop();
    this.current = granted;
    // The run ended before this append got its lease.
    if (this.#isOver) await this.release();
    else this.#renewLater(granted);
  }

  async release(): Promise<void> {
    this.#isOver = true;
    this.#timer?.stop();
    const name = this.#name;
    leftBehind.add(name);
    const held = this.current;
    const giveBack = async () => {
      await held?.release();
      if (held) leftBehind.delete(name);
    };
    await settlesWithin(giveBack(), releaseTimeout);
    if (leftBehind.has(name)) startTimer(this.#settings.ttl, () => leftBehind.delete(name));
  }

  #renewLater(held: Lease): void {
    this.#timer = startTimer(this.#settings.ttl / 3, async () => {
      try {
        await held.renew();
      } catch {
        // The next timer tries again. If the lease is lost, the next append finds out.
      }
      if (this.current === held && !this.#isOver) this.#renewLater(held);
    });
  }
}

/** Names of ended runs of this process whose lease the store did not take back. */
const leftBehind = new Set<string>();

/** Milliseconds that a store may take to take a lease back. After that the run ends without it. */
const releaseTimeout = 250;

/** Leases of dead owners that one run takes over before the conversation counts as busy. */
const mostTakeovers = 3;

/**
 * Asks for the lease. If its owner is dead, takes it over by asking under the owner's name, and gives it back. Then every
 * run that found the owner dead asks under its own name, so that only one of them gets the lease.
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
