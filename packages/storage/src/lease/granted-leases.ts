import { leaseTtl } from "../adapter/checked-numbers.ts";
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
  extend(leases: readonly LeaseExtension[]): Promise<ExtensionAnswer> | ExtensionAnswer;
  /** Ends the lease. Does nothing if it has ended already, or if the store was closed. */
  release(name: string, token: number): Promise<unknown> | unknown;
}

export interface LeaseExtension {
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
    for (const lease of held.values()) lease.check();
  });

  const renew: Store["renew"] = async (asked, ttl) => {
    operations.refuseIfClosed();
    if (ttl !== undefined) leaseTtl(ttl);
    const renewal: Renewal = { renewed: [], lost: [] };
    const leases: GrantedLease[] = [];
    for (const token of new Set(asked.map((one) => one.token))) {
      const lease = held.get(token);
      if (lease) leases.push(lease);
      else renewal.lost.push(token);
    }
    if (leases.length === 0) return renewal;
    const { askedAt, ends } = await operations.extend(leases.map((lease) => lease.extension(ttl ?? lease.ttl)));
    for (const [index, lease] of leases.entries()) {
      const end = ends[index];
      if (typeof end === "number") lease.extended(askedAt, ttl ?? lease.ttl, end);
      if (end === "lost") lease.lose();
      if (end !== "busy") renewal[end === "lost" ? end : "renewed"].push(lease.token);
    }
    return renewal;
  };
  const book: Book = { held, alarm, renew, release: operations.release };

  return {
    add: (name, options, grant) => new GrantedLease(book, name, options, grant),
    renew,
    refused(name, token) {
      const lease = held.get(token);
      // A token of another key is refused too, and its lease lasts.
      if (lease?.name === name) lease.lose();
      return new LeaseLostError(token);
    },
  };
}

interface Book extends Pick<LeaseOperations, "release">, Pick<Store, "renew"> {
  /** By their tokens, until they are lost or released. */
  readonly held: Map<number, GrantedLease>;
  readonly alarm: Alarm;
}

/** A class, because a process may hold ten thousands: an object with accessors of its own takes several times the memory. */
class GrantedLease implements Lease {
  readonly owner: string;
  readonly token: number;
  readonly ttl: number;
  expiresAt = 0;
  readonly name: string;
  readonly #book: Book;
  /** When the renewal was asked for that counts. */
  #askedAt = 0;
  /** The time of `performance.now()` at which the lease is over for its holder. */
  #end = 0;
  #isLost = false;
  #loss: AbortController | undefined;

  constructor(book: Book, name: string, { owner, ttl }: LeaseOptions, { token, expiresAt, askedAt }: Grant) {
    this.owner = owner;
    this.token = token;
    this.ttl = ttl;
    this.name = name;
    this.#book = book;
    book.held.set(token, this);
    this.extended(askedAt, ttl, expiresAt);
  }

  get lost(): AbortSignal {
    this.#loss ??= new AbortController();
    this.check();
    this.#abort();
    return this.#loss.signal;
  }

  async renew(ttl?: number): Promise<void> {
    const { lost } = await this.#book.renew([this], ttl);
    if (lost.length > 0) throw new LeaseLostError(this.token);
  }

  async release(): Promise<void> {
    this.#forget();
    await this.#book.release(this.name, this.token);
  }

  /** What to ask of the store. From now on the store may have the end that is asked for. */
  extension(ttl: number): LeaseExtension {
    this.#end = Math.min(this.#end, endOf(performance.now(), ttl));
    this.check();
    return { name: this.name, token: this.token, ttl };
  }

  extended(askedAt: number, ttl: number, expiresAt: number): void {
    // The answers of two renewals may come in another order.
    if (askedAt < this.#askedAt) return;
    this.#askedAt = askedAt;
    this.#end = endOf(askedAt, ttl);
    this.expiresAt = expiresAt;
    this.check();
  }

  /** Ends the lease for its holder if its time is over, and otherwise waits for that. */
  check(): void {
    // Before `lost` is read, nobody has stopped work, and the store decides whether a late renewal is too late.
    const time = this.#loss ? this.#end : this.#end + longestDelay;
    if (performance.now() < time) this.#book.alarm.set(time);
    else this.lose();
  }

  /** Does nothing after a release. */
  lose(): void {
    if (!this.#forget()) return;
    this.#isLost = true;
    // Not at once: a listener must not call the store in the middle of a transaction.
    queueMicrotask(() => this.#abort());
  }

  /** Returns whether the lease was held. Without leases there is no timer. */
  #forget(): boolean {
    const { held, alarm } = this.#book;
    const wasHeld = held.delete(this.token);
    if (held.size === 0) alarm.stop();
    return wasHeld;
  }

  #abort(): void {
    if (this.#isLost) this.#loss?.abort(new LeaseLostError(this.token));
  }
}

/** Milliseconds by which a renewal may be late if `lost` was not read. */
const longestDelay = 60_000;

/** A little before the end of the lease: the clock of the store may run faster or be coarser. */
function endOf(askedAt: number, ttl: number): number {
  return askedAt + ttl * 0.999 - 1;
}
