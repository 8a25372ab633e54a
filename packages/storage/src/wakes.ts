import type { Key } from "./key.ts";

/** A timer of a conversation. */
export interface TimerOptions {
  /** The name of the timer, unique per conversation. Setting it again moves it. */
  id: string;
  /** Unix time in milliseconds by the clock of the store. */
  at: number;
  scope?: string | undefined;
}

export interface ClaimOptions {
  /** The name of the claiming process, for people. */
  owner: string;
  /** The highest number of claims: a whole number ≥ 1. */
  limit: number;
  /** Milliseconds until another owner may claim the same conversation, unless the claim is settled or renewed before; above 0. */
  ttl: number;
  /** Only conversations of this scope. Without it, those that have none. */
  scope?: string | undefined;
  /** The highest number of conversations of one user that are claimed at one time, by all owners. Defaults to no limit. */
  perUser?: number | undefined;
}

/**
 * The right to look after one conversation that is due. A claim does not make its owner the writer of the log: a lease
 * does.
 */
export interface Claim {
  readonly key: Key;
  readonly owner: string;
  /** Distinguishes this claim from every other one. */
  readonly token: number;
  /** Why the conversation was due: `inbox`, `lease` (a lease ended that nobody released) or `timer:<id>`, sorted. */
  readonly reasons: readonly string[];
  /** Claims of this conversation that have not ended in `done` or `defer`, this one included; 1 for the first. */
  readonly attempts: number;
  /** Unix time in milliseconds by the clock of the store. */
  readonly claimedAt: number;
  /** The claim ends then unless it is settled or renewed before: another owner may claim the conversation. */
  readonly expiresAt: number;
}

/** A conversation that nobody claims until a person releases it. */
export interface Parked {
  readonly key: Key;
  readonly reason: string;
  /** Unix time in milliseconds by the clock of the store. */
  readonly parkedAt: number;
}

/** What a scope has to do, for people and for measurements. */
export interface WakeQueue {
  /** Unix time in milliseconds by the clock of the store: when this was so. */
  readonly now: number;
  /** The number of conversations that can be claimed. One whose lease was renewed a moment ago may be among them. */
  readonly due: number;
  /** Unix time in milliseconds: since when the longest due of them can be claimed; undefined if there is none. */
  readonly dueSince: number | undefined;
  /** The number of parked conversations. */
  readonly parked: number;
  /** Who looks after which conversation: the claims that stand, at most 1,000 of them. Those that end first come first. */
  readonly claims: readonly StandingClaim[];
  /**
   * The conversations that wait for their next try: their work was put off (`defer`), and they are not due yet. At most 1,000 of them;
   * those that are due first come first.
   */
  readonly deferred: readonly Deferred[];
}

/** A conversation whose work was put off. */
export interface Deferred {
  readonly key: Key;
  /** Unix time in milliseconds by the clock of the store: when it is due again. */
  readonly at: number;
}

export type StandingClaim = Pick<Claim, "key" | "owner" | "reasons" | "attempts" | "expiresAt">;

export interface SlotOptions {
  /** The highest number of places under this name: a whole number ≥ 1. */
  limit: number;
  /** The name of the holder, for people. */
  owner: string;
  /** Milliseconds until the place is free again, unless it is renewed; above 0. */
  ttl: number;
}

/** A place under a limit that processes share. */
export interface Slot {
  /** Unix time in milliseconds by the clock of the store. A renewal moves it. */
  readonly expiresAt: number;
  /** Holds the place for `ttl` more milliseconds. Returns false if it has ended: another holder may have it. */
  renew(ttl?: number): Promise<boolean>;
  /** Gives the place back. Does nothing if it has ended already. */
  release(): Promise<void>;
}

export interface WatchWakesOptions {
  scope?: string | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

/** What is due, and who looks after it. */
export interface Wakes {
  /**
   * Makes a conversation due at a time; at once if the time has passed. Conversations also become due by themselves:
   *
   * - `inbox`: when a posted message comes due, until it is taken
   * - `lease`: at the end of a lease that was not released, until the next lease is granted. A release makes nothing due, but
   *   ends a `defer` of the conversation. A lease of an unwritten key makes nothing due.
   *
   * An `append` makes nothing due.
   *
   * @throws RangeError for an `at` that is not finite
   */
  wake(key: Key, options: TimerOptions): Promise<void>;

  /**
   * Claims conversations that are due, are not claimed and not parked: one of each user in turn, and first those of the users
   * with the fewest claims; for each user the longest due first.
   *
   * @throws RangeError for a `limit` or `perUser` that is no whole number ≥ 1, or a `ttl` that is not above 0
   * INVARIANT (claims): what is due is claimed by one owner at a time, and what was claimed stays due until a claim of it is
   * `done`, whichever process dies.
   */
  claim(options: ClaimOptions): Promise<Claim[]>;

  /**
   * Ends a claim: the conversation was looked after. What it was due for before the claim is removed. It stays due for what
   * came since, and becomes due again for messages whose time comes after the claim. A message that was due at the claim
   * and was left in the inbox does not make it due again; the next post does.
   *
   * @returns false, and changes nothing, if the claim has ended: another owner may have claimed the conversation
   */
  done(claim: Claim): Promise<boolean>;

  /**
   * Ends a claim: the conversation is due again at `at` (Unix milliseconds), or earlier if something else comes, or if its
   * lease is released after this. The claim does not count as an attempt.
   *
   * @returns false, and changes nothing, if the claim has ended
   * @throws RangeError for an `at` that is not finite
   */
  defer(claim: Claim, at: number): Promise<boolean>;

  /**
   * Moves the end of a claim to `ttl` milliseconds from now, for what lasts longer than expected.
   *
   * @returns false, and changes nothing, if the claim has ended
   * @throws RangeError for a `ttl` that is not above 0
   */
  renewClaim(claim: Claim, ttl: number): Promise<boolean>;

  /**
   * Ends a claim, and keeps every owner from claiming the conversation until `unpark`, also when it becomes due again.
   *
   * @returns false, and changes nothing, if the claim has ended
   */
  park(claim: Claim, reason: string): Promise<boolean>;

  /**
   * Makes a parked conversation due now, with no attempts counted.
   *
   * @returns whether it was parked
   */
  unpark(key: Key): Promise<boolean>;

  /** Lists the parked conversations of a scope, the longest parked first, at most 1,000. */
  parked(options?: Pick<WatchWakesOptions, "scope">): Promise<Parked[]>;

  /**
   * Returns when the next conversation of the scope can be claimed: Unix time in milliseconds by the clock of the store, in
   * the past if one can be claimed now; undefined if nothing is due at any time. The end of a claim counts.
   */
  nextWake(options?: Pick<WatchWakesOptions, "scope">): Promise<number | undefined>;

  /** Tells what the scope has to do, and who does it. Claims nothing. */
  queue(options?: Pick<WatchWakesOptions, "scope">): Promise<WakeQueue>;

  /**
   * Yields whenever a conversation of the scope has become due, by any process or by time; at once if one is due already.
   * What comes close together yields once. Claim until nothing is left after each. Ends when `signal` is aborted; throws
   * `closed` when the store is closed.
   *
   * INVARIANT (no wake is missed): what becomes due after a yield yields again.
   */
  watchWakes(options?: WatchWakesOptions): AsyncIterable<void>;
}
