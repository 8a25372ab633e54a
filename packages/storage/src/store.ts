import type { Json, LogEvent } from "@cogency/protocol";

/** Names one conversation, by any strings. Without `user` it belongs to the one anonymous user of the store, not to "". */
export interface Key {
  conversation: string;
  user?: string | undefined;
}

/** An event with its place in the log of its conversation, counted from 1. */
export type StoredEvent = LogEvent & { seq: number };

export interface AppendOptions {
  /** The last sequence number the writer has seen; 0 for an empty log. */
  expected?: number | undefined;
  /** An id of the writer's own, known per key; a batch that was stored under it before is not stored again. */
  batch?: string | undefined;
  /** The lease under which the writer writes. */
  lease?: Pick<Lease, "token"> | undefined;
}

export interface LoadOptions {
  /** Only events with a greater sequence number. */
  after?: number | undefined;
  /** Only the last so many of what the other options leave: a whole number from 0 up, or `Infinity`, the default. */
  last?: number | undefined;
  /** Only the first so many of what the other options leave, counted as `last` is. Not together with `last`. */
  limit?: number | undefined;
  /** Only events of these types. */
  types?: readonly LogEvent["type"][] | undefined;
}

export interface ConversationsOptions {
  user?: string | undefined;
  /** At most so many: a whole number from 0 up, or `Infinity`; 50 by default. */
  limit?: number | undefined;
  /** The id of a conversation: only those that come after it in the list, for paging; none if it is not in the list. */
  before?: string | undefined;
}

export interface ConversationSummary {
  conversation: string;
  user?: string;
  /** The start of the first thing the person said, at most 80 characters on one line; empty when there is none. */
  title: string;
  /** The last sequence number. */
  events: number;
  /** Unix time in seconds of the first and of the last event, by the events' own timestamps. */
  createdAt: number;
  updatedAt: number;
}

export interface SearchOptions {
  /** Whose conversations; `undefined` is the anonymous user. */
  user: string | undefined;
  /** The id of a conversation that is left out, such as the one going on. */
  exclude?: string | undefined;
  /** At most so many matches: a whole number from 0 up, or `Infinity`; 20 by default. */
  limit?: number | undefined;
}

/** An event in which words of a search stand. */
export interface Match {
  conversation: string;
  /** The number of the event in the log of that conversation, and its timestamp. */
  seq: number;
  timestamp: number;
  who: "user" | "assistant" | "tool";
  /** The name of the tool that returned it. */
  tool?: string;
  /** The place where most of the words stand close together: at most 300 code points on one line. */
  excerpt: string;
  /** Above 0; to be compared with those of the same search only. */
  score: number;
}

export interface LeaseOptions {
  /** Who asks, by a name that nobody else uses: others read it in LeaseHeldError. */
  owner: string;
  /** Milliseconds until the lease ends by itself, counted by the clock of the store; above 0. */
  ttl: number;
}

/** The right to be the only one who appends to a log, until it is released, runs out or is taken over. */
export interface Lease {
  readonly owner: string;
  /** The fencing token: higher than that of every lease which the store gave before. */
  readonly token: number;
  /** Unix time in milliseconds, by the clock of the store; moved on by `renew`. */
  readonly expiresAt: number;
  /**
   * Lets it last `ttl` milliseconds from now, by default as long as was asked for at first.
   *
   * @throws LeaseLostError if it has run out or was taken over; ask for a new one then
   */
  renew(ttl?: number): Promise<void>;
  /** Gives it back. Does nothing if it is gone already. */
  release(): Promise<void>;
}

export interface StoredProfile {
  profile: Json;
  /** Counted from 1, up by 1 with every save. */
  version: number;
}

export interface SaveProfileOptions {
  /** The version the writer has seen; 0 for a user without a profile. */
  expected?: number | undefined;
}

export interface FollowOptions {
  /** Only events with a greater sequence number; 0 by default. */
  after?: number | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

/**
 * Where conversations live. A store keeps one ordered, append-only log of events per key : whatever an agent
 * knows about a conversation can be rebuilt from it. Beside the logs it keeps one profile per user.
 *
 * INVARIANT: sequence numbers of a key start at 1, without gap and without duplicate, also under concurrent writers.
 * INVARIANT: users never see each other's events.
 * INVARIANT: failures are a StoreError with a code, but for a count that is none, which is a RangeError; nothing is half
 * done.
 */
export interface Store {
  /**
   * Append a batch to the log of `key`. An empty batch changes nothing and returns the current last number.
   *
   * @returns the sequence number of the last event
   * @throws ConflictError if `expected` is given and is not the current last sequence number
   * @throws LeaseHeldError if somebody holds a lease of the key and `lease` is not given
   * @throws LeaseLostError if `lease` is given and is not the key's, has run out or was taken over, also if nobody else
   * has one now
   * @throws InvalidEventError (`invalid_event`) for an event type that is not persisted (protocol.md §3), a timestamp
   * that is not finite, anything else that JSON cannot hold, or more than the store can hold in one event; strings are stored well-formed (protocol.md P13)
   * INVARIANT: the batch is in the log as a whole or not at all, also after the process is killed.
   * INVARIANT: what resolved is readable by every later `load`.
   * INVARIANT: a `batch` id that was stored before returns the first result and stores nothing, whatever `expected` and
   * `lease` are.
   */
  append(key: Key, events: readonly LogEvent[], options?: AppendOptions): Promise<number>;

  /**
   * The log of `key` ordered by sequence number; empty for a key that was never written.
   *
   * @throws RangeError if `last` or `limit` is negative, a fraction or NaN, or if both are given
   */
  load(key: Key, options?: LoadOptions): Promise<StoredEvent[]>;

  /**
   * The user's conversations, the most recently appended first.
   *
   * @throws RangeError if `limit` is negative, a fraction or NaN
   */
  conversations(options?: ConversationsOptions): Promise<ConversationSummary[]>;

  /**
   * Remove a conversation, whoever holds a lease of it; true if there was one. INVARIANT: nothing of it is left behind,
   * neither in searches nor as a lease.
   */
  delete(key: Key): Promise<boolean>;

  /**
   * Find words in what the user and the assistant said and what tools returned, the best first: more and rarer of the
   * words, what was said before what a tool returned, and among equals the conversation that was appended to last, in it
   * the last event. A word is found where a word begins with it, whatever its case and its accents are; one of one or two
   * letters as a whole; one of a script that is written without spaces anywhere. Of every passage the first 100,000
   * characters are searched. Empty for a text without a word.
   *
   * @throws RangeError if `limit` is negative, a fraction or NaN
   * INVARIANT: what `append` resolved is found by every later search of its user, and of nobody else.
   */
  search(text: string, options: SearchOptions): Promise<Match[]>;

  /** What is known about a user beyond the conversations; null if nothing was saved. */
  loadProfile(user: string | undefined): Promise<StoredProfile | null>;

  /**
   * Replace the profile.
   *
   * @returns the new version
   * @throws ConflictError if `expected` is given and is not the current version
   * @throws StoreError `invalid_profile` for what JSON cannot hold
   */
  saveProfile(user: string | undefined, profile: Json, options?: SaveProfileOptions): Promise<number>;

  /** Remove the profile; true if there was one. The user's conversations stay. */
  deleteProfile(user: string | undefined): Promise<boolean>;

  /**
   * Become the single writer of a key, which need not have been written yet. The same owner may ask again, after a crash
   * say: that takes over, and the lease before is lost.
   *
   * @throws LeaseHeldError, at once, while another owner holds one
   * @throws RangeError for a `ttl` that is not above 0
   * INVARIANT: whatever clocks say, of two leases of a key at most the one with the higher token can append.
   */
  lease(key: Key, options: LeaseOptions): Promise<Lease>;

  /**
   * The log from `after` on: what is there, then every event as it is appended, by whatever process. It ends when `signal`
   * is aborted and when the conversation is deleted, and fails with `closed` when the store is closed.
   *
   * INVARIANT: each event once, in order, without gap.
   */
  follow(key: Key, options?: FollowOptions): AsyncIterable<StoredEvent>;

  /**
   * Release what the store holds; calling it again does nothing. Every other call then fails with `closed`. Leases that
   * were not released go on until they run out.
   */
  close(): Promise<void>;
}
