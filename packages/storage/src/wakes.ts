import type { Key } from "./store.ts";

/** A timer of a conversation. */
export interface WakeOptions {
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
