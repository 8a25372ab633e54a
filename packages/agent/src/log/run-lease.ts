import { settlesWithin, startTimer, wait } from "@cogency/async";
import { type Key, keepLeases, type Lease, type LeaseHeldError, type Store } from "@cogency/storage";
import { isRunError, isStoreFailure, RunError, runErrorOf } from "../errors.ts";
import { flat, randomId } from "../flat-text.ts";
import { orAbandoned } from "./or-abandoned.ts";

export interface LeaseSettings {
  /** Milliseconds. */
  readonly ttl: number;
  /** The name of each run's lease begins with it. */
  readonly owner: string;
  /** Whether the holder of a lease is known to be dead. */
  readonly isGone: (owner: string) => boolean | Promise<boolean>;
  /** Whether a run waits for its first lease while another one holds it. */
  readonly waits?: boolean | undefined;
}

/** Makes a run the only writer of its conversation until the run is over. */
export interface RunLease {
  /** The lease that the store checks at every append. */
  readonly current: Pick<Lease, "token"> | undefined;
  /** Unix time in milliseconds by the clock of the store: when the run took its first lease. Undefined for a caller's lease. */
  readonly takenAt?: number | undefined;
  /**
   * Takes the lease, or takes it again after it was lost. From then on the lease is renewed.
   *
   * @throws RunError `busy` at once while another owner holds the lease, with the LeaseHeldError as its `cause`; `store`;
   * `not_stored` if the store does not answer for 250 ms after the run's signal has aborted
   */
  take(): Promise<void>;
  /** Gives the lease back when the run is over. Never throws, and waits at most 250 ms for the store. */
  release(): Promise<void>;
}

/**
 * @param signal ends the wait for the store and for `isGone` when it aborts
 * @param onLost called when a lease is lost, so that the run takes it again or ends before its next effect
 */
export function runLease(
  store: Store,
  key: Key,
  settings: LeaseSettings,
  signal: AbortSignal,
  onLost: () => void,
): RunLease {
  return new OwnLease(store, key, settings, signal, onLost);
}

/** The lease of a caller, who took it, renews it and releases it. Once it is lost, nothing is stored any more. */
export function callersLease(lease: Lease, onLost: () => void): RunLease {
  const { lost } = lease;
  return {
    current: lease,
    async take() {
      if (lost.aborted) throw runErrorOf(lost.reason, "store");
      lost.addEventListener("abort", onLost, { once: true });
    },
    async release() {
      lost.removeEventListener("abort", onLost);
    },
  };
}

class OwnLease implements RunLease {
  current: Lease | undefined;
  takenAt: number | undefined;
  readonly #store: Store;
  readonly #key: Key;
  readonly #settings: LeaseSettings;
  readonly #signal: AbortSignal;
  readonly #onLost: () => void;
  readonly #name: string;
  /** Ends the renewal of the lease. */
  #stopRenewing: () => void = () => {};
  #isOver = false;

  constructor(store: Store, key: Key, settings: LeaseSettings, signal: AbortSignal, onLost: () => void) {
    this.#store = store;
    this.#key = key;
    this.#settings = settings;
    this.#signal = signal;
    this.#onLost = onLost;
    this.#name = flat(`${settings.owner}#${randomId()}`);
  }

  async take(): Promise<void> {
    const granted = await this.#grant();
    this.#stopRenewing();
    this.current = granted;
    this.takenAt ??= granted.expiresAt - granted.ttl;
    // The run ended before this append got its lease.
    if (this.#isOver) return this.release();
    // From now on `keepLeases` of storage renews it.
    this.#stopRenewing = keepLeases(this.#store).add(granted);
    granted.lost.addEventListener("abort", this.#onLost, { once: true });
  }

  async #grant(): Promise<Lease> {
    for (;;) {
      try {
        return await grant(this.#store, this.#key, this.#name, this.#settings, this.#signal);
      } catch (error) {
        const isBusy = isRunError(error) && error.code === "busy";
        const mayWait = isBusy && this.#settings.waits && !this.current;
        if (!mayWait || this.#signal.aborted) throw error;
        await wait(betweenAttempts, this.#signal);
      }
    }
  }

  async release(): Promise<void> {
    this.#isOver = true;
    this.#stopRenewing();
    const name = this.#name;
    leftBehind.add(name);
    const held = this.current;
    held?.lost.removeEventListener("abort", this.#onLost);
    const giveBack = async () => {
      await held?.release();
      if (held) leftBehind.delete(name);
    };
    await settlesWithin(giveBack(), releaseTimeout);
    if (leftBehind.has(name)) startTimer(this.#settings.ttl, () => leftBehind.delete(name));
  }
}

/** Milliseconds between two requests for a lease that another run holds. */
const betweenAttempts = 250;

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
  const ask = (owner: string) => grantInTime(store.lease(key, { owner, ttl }), signal);
  let dead: string | undefined;
  for (let takeovers = 0; ; takeovers++) {
    try {
      if (dead !== undefined) await (await ask(dead)).release();
      return await ask(name);
    } catch (error) {
      if (!isHeld(error)) throw runErrorOf(error, "store");
      if (takeovers === mostTakeovers || !(await isDead(error, isGone, signal))) throw runErrorOf(error, "busy");
      dead = error.owner;
    }
  }
}

/** Waits at most 250 ms after an abort. A lease that is granted later is given back. */
async function grantInTime(granting: Promise<Lease>, signal: AbortSignal): Promise<Lease> {
  const granted = await orAbandoned(() => granting, signal, undefined);
  if (granted) return granted;
  granting.then((late) => late.release()).catch(() => {});
  throw new RunError("not_stored", "The store did not grant the lease before the run was aborted.");
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
