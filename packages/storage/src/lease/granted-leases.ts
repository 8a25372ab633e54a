import { leaseTtl } from "../adapter/lease-ttl.ts";
import { LeaseLostError } from "../errors.ts";
import type { Lease, LeaseOptions, Renewal, Store } from "../store.ts";
import { type Alarm, createAlarm } from "./alarm.ts";

/** How an adapter changes the leases in its data. A `name` is the text by which the adapter distinguishes keys. */
export interface LeaseOperations {
  /** @throws StoreError `closed` */
  refuseIfClosed(): void;
  /**
   * Extends all leases that have not ended, in one operation, to `ttl` milliseconds from now. May leave out leases that it
   * cannot extend at once, unless there is only one.
   */
  extend(leases: readonly Extension[]): Promise<ExtensionAnswer> | ExtensionAnswer;
  /** Ends the lease. Does nothing if it has ended already, or if the store was closed. */
  release(name: string, token: number): Promise<unknown> | unknown;
}

export interface Extension {
  readonly name: string;
  readonly token: number;
  /** Milliseconds. */
  readonly ttl: number;
}

export interface ExtensionAnswer {
  /** A time of `performance.now()` before the store read its clock. */
  readonly askedAt: number;
  /** The new end of each lease, in their order: Unix milliseconds by the clock of the store. */
  readonly ends: readonly (number | "lost" | "busy")[];
}

export interface Grant {
  readonly token: number;
  /** Unix time in milliseconds by the clock of the store. */
  readonly expiresAt: number;
  /** A time of `performance.now()` before the store read its clock. */
  readonly askedAt: number;
}

/** The leases that one store object has granted. */
export interface GrantedLeases {
  /** Returns the lease that the data now contain. */
  add(name: string, options: LeaseOptions, grant: Grant): Lease;
  /** Implements `Store.renew`. */
  renew: Store["renew"];
  /** Returns the error of an append that was refused for its lease, and aborts `lost` of that lease. */
  refused(name: string, token: number): LeaseLostError;
}

/** Implements `Lease` and `Store.renew` for an adapter. All leases together have one timer. */
export function grantedLeases(operations: LeaseOperations): GrantedLeases {
  const held = new Map<number, GrantedLease>();
  const alarm = createAlarm(() => {
    const now = performance.now();
    for (const lease of held.values()) lease.check(now);
  });
  const book: Book = { operations, held, alarm };

  return {
    add: (name, options, grant) => new GrantedLease(book, name, options, grant),

    async renew(asked, ttl) {
      operations.refuseIfClosed();
      if (ttl !== undefined) leaseTtl(ttl);
      const renewal: Renewal = { renewed: [], lost: [] };
      const leases: GrantedLease[] = [];
      for (const token of new Set(asked.map(({ token }) => token))) {
        const lease = held.get(token);
        if (lease) leases.push(lease);
        else renewal.lost.push(token);
      }
      const ends = await extend(book, leases, ttl);
      for (const [index, { token }] of leases.entries()) {
        const end = ends[index];
        if (end === "lost") renewal.lost.push(token);
        else if (end !== "busy") renewal.renewed.push(token);
      }
      return renewal;
    },

    refused(name, token) {
      const lease = held.get(token);
      // A token of another key is refused too, and its lease lasts.
      if (lease?.name === name) lease.lose();
      return new LeaseLostError(token);
    },
  };
}

interface Book {
  readonly operations: LeaseOperations;
  /** By their tokens, until they are lost or released. */
  readonly held: Map<number, GrantedLease>;
  readonly alarm: Alarm;
}

/** A class, because a process may hold ten thousands: an object with getters of its own takes several times the memory. */
class GrantedLease implements Lease {
  readonly owner: string;
  readonly token: number;
  readonly ttl: number;
  expiresAt: number;
  readonly name: string;
  readonly #book: Book;
  #state: "held" | "lost" | "released" = "held";
  /** When the holder must have asked for the last renewal that counts. */
  #askedAt: number;
  /** The time of `performance.now()` at which the lease is over for its holder. */
  #end: number;
  #loss: AbortController | undefined;

  constructor(book: Book, name: string, { owner, ttl }: LeaseOptions, { token, expiresAt, askedAt }: Grant) {
    this.owner = owner;
    this.token = token;
    this.ttl = ttl;
    this.expiresAt = expiresAt;
    this.name = name;
    this.#book = book;
    this.#askedAt = askedAt;
    this.#end = askedAt + lasting(ttl);
    this.#watch();
  }

  get lost(): AbortSignal {
    if (!this.#loss) {
      this.#loss = new AbortController();
      if (this.#state === "held") this.#watch();
    }
    this.check(performance.now());
    if (this.#state === "lost") this.#abort();
    return this.#loss.signal;
  }

  async renew(ttl = this.ttl): Promise<void> {
    this.#book.operations.refuseIfClosed();
    leaseTtl(ttl);
    const [end] = await extend(this.#book, [this], ttl);
    if (end === "lost") throw new LeaseLostError(this.token);
  }

  async release(): Promise<void> {
    if (this.#state === "held") this.#state = "released";
    this.#forget();
    await this.#book.operations.release(this.name, this.token);
  }

  /** From now on the store may have this end. */
  asks(ttl: number): void {
    this.#end = Math.min(this.#end, performance.now() + lasting(ttl));
    if (this.#state === "held") this.#watch();
  }

  extended(askedAt: number, ttl: number, expiresAt: number): void {
    // The answers of two renewals may come in another order.
    if (askedAt < this.#askedAt) return;
    this.#askedAt = askedAt;
    this.#end = askedAt + lasting(ttl);
    this.expiresAt = expiresAt;
    if (this.#state === "held") this.#watch();
  }

  /** Ends the lease for its holder if its time is over, and otherwise waits for that. */
  check(now: number): void {
    if (this.#state !== "held") return;
    if (now < this.#alarmAt) this.#watch();
    else if (this.#loss) this.lose();
    else this.#forget();
  }

  lose(): void {
    if (this.#state !== "held") return;
    this.#state = "lost";
    this.#forget();
    // Not at once: listeners must not call the store in the middle of a transaction.
    if (this.#loss) queueMicrotask(() => this.#abort());
  }

  #forget(): void {
    const { held, alarm } = this.#book;
    held.delete(this.token);
    if (held.size === 0) alarm.stop();
  }

  /** While nobody knows `lost`, the store alone decides whether a late renewal is too late. */
  get #alarmAt(): number {
    return this.#loss ? this.#end : this.#end + this.ttl;
  }

  #watch(): void {
    this.#book.held.set(this.token, this);
    this.#book.alarm.set(this.#alarmAt);
  }

  #abort(): void {
    if (!this.#loss?.signal.aborted) this.#loss?.abort(new LeaseLostError(this.token));
  }
}

/** Asks the store for longer leases, and lets the leases know its answer. */
async function extend(
  { operations }: Book,
  leases: readonly GrantedLease[],
  ttl: number | undefined,
): Promise<ExtensionAnswer["ends"]> {
  if (leases.length === 0) return [];
  const extensions = leases.map(
    (lease): Extension => ({ name: lease.name, token: lease.token, ttl: ttl ?? lease.ttl }),
  );
  for (const [index, { ttl }] of extensions.entries()) leases[index]?.asks(ttl);
  const { askedAt, ends } = await operations.extend(extensions);
  for (const [index, { ttl }] of extensions.entries()) {
    const end = ends[index];
    if (end === "lost") leases[index]?.lose();
    else if (typeof end === "number") leases[index]?.extended(askedAt, ttl, end);
  }
  return ends;
}

/** How long a lease lasts for its holder: a little less than for the store, whose clock may run faster or be coarser. */
function lasting(ttl: number): number {
  return ttl * 0.999 - 1;
}
