import { createSlots, wait } from "@cogency/async";
import { above, checkOptions, having, name, type OptionTable, required, whole } from "@cogency/protocol/options";
import { ProviderError } from "@cogency/provider";
import type { Slot, Store } from "@cogency/storage";
import { slotLimits } from "@cogency/storage/adapter";
import { ownerName } from "./owner-name.ts";

export interface SharedPlacesOptions {
  store: Pick<Store, "slot"> & Partial<Pick<Store, "owner">>;
  /** What the limit is for, such as the name of a key. All processes that share it give the same name. */
  name: string;
  /** Requests that are open at one time, in all processes: a whole number ≥ 1. */
  limit: number;
  /**
   * Milliseconds after which the place of a process that was frozen or lost is free. (A store that notices the death of a process frees it
   * at once.) Defaults to 30,000.
   */
  ttl?: number | undefined;
  /** The name of this process, for people. Defaults to that of a worker. */
  owner?: string | undefined;
}

const table = {
  store: required(having("a store", "slot")),
  name: required(name),
  limit: required(whole(1, Number.MAX_SAFE_INTEGER)),
  // The store knows its range.
  ttl: above(0, "milliseconds"),
  owner: name,
} satisfies OptionTable<SharedPlacesOptions>;

type Resolved = { [Name in keyof SharedPlacesOptions]-?: NonNullable<SharedPlacesOptions[Name]> };

/** A place under the limit. */
export interface Place {
  /** Aborts with a ProviderError when the place has ended: another process may have it. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Takes places under a limit of all processes. Of those that wait in this process, only the first asks the store. */
export class SharedPlaces {
  readonly #options: Resolved;
  /** Whoever holds it is the one that asks the store. */
  readonly #turn = createSlots(1);

  /** @throws TypeError, RangeError for a wrong option: here, because at a request it would fail a run */
  constructor(given: SharedPlacesOptions) {
    checkOptions("limitedProvider", given, table);
    const { ttl = 30_000, owner = ownerName(given.store, "process"), ...options } = given;
    slotLimits({ limit: options.limit, owner, ttl });
    this.#options = { ttl, owner, ...options };
  }

  /**
   * @throws the reason of the signal, if it aborts first; StoreError
   */
  take(signal: AbortSignal | undefined): Promise<Place> {
    return this.#turn.run(async () => {
      const { store, name, limit, owner, ttl } = this.#options;
      for (let delay = shortestDelay; ; delay = Math.min(delay * 2, longestDelay)) {
        signal?.throwIfAborted();
        const askedAt = performance.now();
        const slot = await store.slot(name, { limit, owner, ttl });
        if (slot && performance.now() < askedAt + ttl) return held(slot, askedAt + ttl, this.#options);
        // This process stood still meanwhile: another one may have the place by now.
        if (slot) await slot.release().catch(() => {});
        // Not all processes at one moment.
        await wait(delay * (0.5 + Math.random()), signal);
      }
    }, signal);
  }
}

/** Milliseconds between two questions to the store. */
const shortestDelay = 10;
const longestDelay = 250;

/**
 * Renews the place until it is released.
 *
 * @param end by `performance.now()`, if it is not renewed
 */
function held(slot: Slot, end: number, { name, ttl }: Resolved): Place {
  const losing = new AbortController();
  const ended = new AbortController();
  let expires = end;
  const hasEnded = () => performance.now() >= expires;
  const lose = () => losing.abort(lostPlace(name));
  const renewing = (async () => {
    for (;;) {
      await wait(ttl / 3, ended.signal);
      if (ended.signal.aborted) return;
      // Before the store answers: a process that stood still may be about to send its request.
      if (hasEnded()) return lose();
      const next = performance.now() + ttl;
      const isRenewed = await slot.renew().catch(() => undefined);
      if (isRenewed) expires = next;
      if (isRenewed === false || hasEnded()) return lose();
    }
  })();
  return {
    lost: losing.signal,
    async release() {
      ended.abort();
      await renewing;
      // A place that the store cannot free ends by itself.
      await slot.release().catch(() => {});
    },
  };
}

function lostPlace(name: string): ProviderError {
  const message = `The place under the limit ${JSON.stringify(name)} has ended in the middle of a request: this process stood still for too long, or the store did. Ask again.`;
  return new ProviderError("timeout", message);
}
