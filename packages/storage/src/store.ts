import type { Json, LogEvent } from "@cogency/protocol";
import type { InboxMessage, PostOptions, StoredMessage, WatchOptions } from "./inbox.ts";
import type { Key } from "./key.ts";
import type { Live } from "./live.ts";
import type { Slot, SlotOptions, Wakes } from "./wakes.ts";

/** An event with its sequence number in the log of its conversation, counted from 1. */
export type StoredEvent = LogEvent & { seq: number };

export interface AppendOptions {
  /** The last sequence number that the writer has seen; 0 for an empty log. Not checked by default. */
  expected?: number | undefined;
  /** An id that the writer chooses, unique per key. It makes a retry safe: a batch is stored once per id. */
  batch?: string | undefined;
  /** The lease under which the writer writes. */
  lease?: Pick<Lease, "token"> | undefined;
  /** The ids of the messages that these events take out of the inbox. */
  takes?: readonly string[] | undefined;
  /** What the conversation belongs to, if this is its first write (`WakeScope`). */
  scope?: string | undefined;
}

export interface LoadOptions {
  /** Only events with a greater sequence number. */
  after?: number | undefined;
  /** Only the last `last` events that match the other options: a whole number ≥ 0, or `Infinity`, the default. */
  last?: number | undefined;
  /**
   * Only the first `limit` events that match the other options, counted as `last` is. Cannot be combined with `last`.
   */
  limit?: number | undefined;
  /** Only events of these types. */
  types?: readonly LogEvent["type"][] | undefined;
}

export interface ConversationsOptions {
  user?: string | undefined;
  /** The highest number of summaries: a whole number ≥ 0, or `Infinity`. Defaults to 50. */
  limit?: number | undefined;
  /** For paging: only conversations after this one in the list. Empty if the list does not contain it. */
  before?: string | undefined;
}

export interface ConversationSummary {
  conversation: string;
  user?: string;
  /**
   * What a person named the conversation (the last record `title`), else the start of the first message of the person (or
   * of the untrusted text in its place), without the blocks between tags that were added to it. At most 80 characters on one line;
   * empty if there is neither.
   */
  title: string;
  /** The last sequence number. */
  events: number;
  /** Unix time in seconds: the timestamp of the first event. */
  createdAt: number;
  /** Unix time in seconds: the timestamp of the last event. */
  updatedAt: number;
}

export interface SearchOptions {
  /** The user whose conversations are searched; `undefined` is the anonymous user. */
  user: string | undefined;
  /** A conversation to leave out, such as the current one. */
  exclude?: string | undefined;
  /** The highest number of matches: a whole number ≥ 0, or `Infinity`. Defaults to 20. */
  limit?: number | undefined;
}

/** An event that contains words of a search. */
export interface Match {
  conversation: string;
  /** The sequence number of the event. */
  seq: number;
  /** The timestamp of the event. */
  timestamp: number;
  who: "user" | "assistant" | "tool";
  /** The name of the tool, if a tool returned the text. */
  tool?: string;
  /** The part of the text where most of the words stand close together: at most 300 code points on one line. */
  excerpt: string;
  /** Above 0. Comparable within one search only. */
  score: number;
}

export interface LeaseOptions {
  /** A name that no other writer uses. LeaseHeldError shows it to other writers. */
  owner: string;
  /** Milliseconds until the lease expires, by the clock of the store; above 0. */
  ttl: number;
}

/** The right to be the only writer of a log, until the lease is released, expires or is taken over. */
export interface Lease {
  readonly owner: string;
  /** The fencing token. Higher than the token of every lease that the store granted before. */
  readonly token: number;
  /** Milliseconds, as they were granted. */
  readonly ttl: number;
  /** Unix time in milliseconds by the clock of the store. A renewal moves it. */
  readonly expiresAt: number;
  /**
   * Aborts when the holder must stop writing, with a LeaseLostError as its reason: when the time of the lease is over, or
   * when an append or a renewal under it is answered with `lease_lost`, as after a take-over or a `delete`. Never aborts
   * after `release` was called.
   *
   * The holder counts the time with its own monotonic clock, from before the grant or the last renewal was asked for. So
   * the time is over for the holder before it is over for the store, unless the machine of the holder sleeps: then the
   * next append or renewal notices. The signal is created when it is first read, and does not keep the process alive.
   *
   * INVARIANT (loss): reads as aborted once the time of the lease is over by the clock of the store, if both clocks run
   * at the same speed (within 0.1 %).
   */
  readonly lost: AbortSignal;
  /**
   * Extends the lease to `ttl` milliseconds from now. `ttl` defaults to that of the grant.
   *
   * @throws LeaseLostError if the lease has expired, was taken over or released, or `lost` has aborted; ask for a new one
   */
  renew(ttl?: number): Promise<void>;
  /** Ends the lease. Does nothing if it has ended already. */
  release(): Promise<void>;
}

/** The answer to the renewal of several leases, by their tokens. */
export interface Renewal {
  renewed: number[];
  /** These leases have ended. */
  lost: number[];
}

export interface StoredProfile {
  profile: Json;
  /** Starts at 1 and rises by 1 with every save. */
  version: number;
}

export interface SaveProfileOptions {
  /** The version that the writer has seen; 0 for a user without a profile. Not checked by default. */
  expected?: number | undefined;
  /**
   * Leaves no byte of the profile that it replaces, as `deleteProfile` does; the versions go on. Costs as much as that. Defaults to
   * false: the store may keep bytes of it in parts of its files that are not in use.
   */
  erase?: boolean | undefined;
}

export interface FollowOptions {
  /** Only events with a greater sequence number. Defaults to 0. */
  after?: number | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

/**
 * Where conversations live. A store keeps one ordered, append-only log of events per key, and an agent rebuilds
 * everything it knows about a conversation from that log. A store also keeps one profile per user.
 *
 * Timestamps of events are Unix seconds, as the protocol says; times of leases are Unix milliseconds.
 *
 * Every method is required. A new method is a breaking change: an adapter without it must fail to compile, because a
 * caller could not tell a missing method from an empty answer.
 *
 * INVARIANT (numbering): sequence numbers of a key start at 1, without gap or duplicate, also under concurrent writers.
 * INVARIANT (isolation): users never see each other's events.
 * An event, a message and a profile have at most 100,000,000 bytes as JSON (`maxStoredBytes`).
 *
 * INVARIANT (errors): failures are a StoreError with a code; an invalid count or `ttl` throws RangeError. No failure
 * leaves a change half done.
 */
export interface Store extends Wakes {
  /**
   * Appends a batch to the log of `key`. An empty batch changes nothing and returns the current last number.
   *
   * @returns the sequence number of the last event
   * @throws ConflictError if `expected` is given and is not the current last sequence number
   * @throws LeaseHeldError if another writer holds a lease of the key and `lease` is not given
   * @throws LeaseLostError if `lease` is given and is not the current lease of the key, even if the key has none
   * @throws InvalidEventError (`invalid_event`) for an event type that is not persisted (protocol.md §3), a timestamp
   * that is not finite, a value that JSON cannot hold, or an event of more than `maxStoredBytes` as JSON. Strings are stored
   * well-formed (protocol.md P13).
   * @throws RangeError if `takes` names a message, but there are no events
   * @throws MessageConflictError (`conflict`) if `takes` names a message that is not in the inbox, or one twice
   * INVARIANT (atomicity): the log contains the whole batch or nothing of it, also after the process is killed.
   * INVARIANT (inbox): the messages in `takes` leave the inbox in the same step in which the events enter the log. So a
   * message is in the log once or unread, never both and never neither, also after the process is killed.
   * INVARIANT (visibility): every later `load` returns the events of a resolved `append`.
   * INVARIANT (idempotency): a `batch` id that was stored before returns the first result and stores nothing, whatever
   * `expected`, `lease` and `takes` are.
   */
  append(key: Key, events: readonly LogEvent[], options?: AppendOptions): Promise<number>;

  /**
   * Returns the log of `key` ordered by sequence number; empty for a key that was never written.
   *
   * @throws RangeError if `last` or `limit` is negative, a fraction or NaN, or if both are given
   */
  load(key: Key, options?: LoadOptions): Promise<StoredEvent[]>;

  /**
   * Lists the user's conversations, the most recently appended first.
   *
   * @throws RangeError if `limit` is negative, a fraction or NaN
   */
  conversations(options?: ConversationsOptions): Promise<ConversationSummary[]>;

  /**
   * Removes a conversation, even while another writer holds its lease.
   *
   * @returns whether the conversation existed. It does from its first write on (`append`, `post` or `wake`); a lease writes
   * nothing.
   * INVARIANT (erasure): nothing of the conversation remains: no event, no batch id, no search match, no lease, no message,
   * no wake.
   */
  delete(key: Key): Promise<boolean>;

  /**
   * Finds words in the messages of the user and the assistant and in the results of tools. Searches the first 100,000
   * characters of each passage. Returns nothing for a text without words.
   *
   * Words match regardless of case and accents. A word matches the beginning of a longer word; a word of one or two
   * letters matches only a whole word; a word of a script without spaces matches anywhere.
   *
   * Matches are ordered by score: more and rarer words score higher, and results of tools count half. Equal scores are
   * ordered by the latest append to the conversation, then by the latest event.
   *
   * @throws RangeError if `limit` is negative, a fraction or NaN
   * INVARIANT (freshness): every later search of the user finds the events of a resolved `append`, and no search of
   * another user does.
   */
  search(text: string, options: SearchOptions): Promise<Match[]>;

  /** Returns what the agent keeps about a user beyond the conversations; null if nothing was saved. */
  loadProfile(user: string | undefined): Promise<StoredProfile | null>;

  /**
   * Replaces the profile.
   *
   * @returns the new version
   * @throws ConflictError if `expected` is given and is not the current version
   * @throws StoreError `invalid_profile` for a value that JSON cannot hold, or one of more than `maxStoredBytes` as JSON
   */
  saveProfile(user: string | undefined, profile: Json, options?: SaveProfileOptions): Promise<number>;

  /**
   * Removes the profile. The user's conversations stay.
   *
   * @returns whether the profile existed
   */
  deleteProfile(user: string | undefined): Promise<boolean>;

  /**
   * Makes `owner` the single writer of a key, which may be unwritten. The same owner may ask again, for example after a
   * crash: the new lease replaces the earlier one, which is lost.
   *
   * @throws LeaseHeldError at once, while another owner holds a lease
   * @throws RangeError for a `ttl` that is not above 0
   * INVARIANT (fencing): of two leases of a key, only the one with the higher token can append, whatever the clocks
   * say.
   */
  lease(key: Key, options: LeaseOptions): Promise<Lease>;

  /**
   * Extends many leases of this store in one operation, each to `ttl` milliseconds from now. `ttl` defaults to that of
   * each grant. A lease that another store object granted counts as lost.
   *
   * A lease that is neither `renewed` nor `lost` could not be extended at once, because another call is changing its
   * conversation. Ask again: one conversation that is slow must not delay the others.
   *
   * @throws RangeError for a `ttl` that is not above 0
   * INVARIANT (renewal): after the call, a lease that is `renewed` lasts for its `ttl`, and one that is `lost` can never
   * append again, however many leases are given.
   */
  renew(leases: readonly Pick<Lease, "token">[], ttl?: number): Promise<Renewal>;

  /**
   * Iterates the log from `after` on: the stored events first, then every event that any process appends. Waits for a
   * conversation that does not exist yet. Ends when `signal` is aborted or the conversation is deleted; throws `closed`
   * when the store is closed.
   *
   * INVARIANT (order): yields each event once, in order, without gap.
   */
  follow(key: Key, options?: FollowOptions): AsyncIterable<StoredEvent>;

  /**
   * Puts a message into the inbox of a conversation, which may be unwritten. Needs no lease: anybody who may write to the store
   * may post. If the inbox holds the same message under this id, or held it before it was taken, nothing changes. `at` is
   * not part of a message. Strings are stored well-formed (protocol.md P13).
   *
   * @throws MessageConflictError (`conflict`) if the id was used for another message of this conversation
   * @throws StoreError `invalid_message` for a value that JSON cannot hold, or one of more than `maxStoredBytes` as JSON
   * @throws RangeError for an `at` that is not finite
   * INVARIANT (once): a message is stored once per id, however often it is posted, also after it was taken.
   */
  post(key: Key, message: InboxMessage, options: PostOptions): Promise<void>;

  /**
   * Returns the messages that were not taken and whose time has come, in the order of their posts. A later call may return a
   * message that belongs between two others, if their senders posted at the same moment.
   *
   * INVARIANT (message order): messages of a sender that awaits each `post` stand in the order of its posts.
   * INVARIANT (message isolation): users never see each other's messages.
   */
  inbox(key: Key): Promise<StoredMessage[]>;

  /**
   * Yields at once, and then after every `append`, `post` and `delete` of the conversation by any process, or with
   * `of: "posts"` after every `post` and `delete`; changes that come close together yield once. A message whose `at` comes does not yield (see `watchWakes`). Ends when `signal` is aborted;
   * throws `closed` when the store is closed.
   *
   * INVARIANT (no change is missed): what is read after a yield contains every change before it, and a later change yields
   * again.
   */
  watch(key: Key, options?: WatchOptions): AsyncIterable<void>;

  /**
   * Takes a place under a limit that all processes with this store share, such as requests to one provider key. Returns null at
   * once if all places are taken. Each call gives its own `limit`.
   *
   * @throws RangeError for a `limit` that is no whole number ≥ 1, or a `ttl` that is not above 0
   * INVARIANT (slots): never are more places held than the limit of the call that took the last one, by the clock of the store.
   */
  slot(name: string, options: SlotOptions): Promise<Slot | null>;

  /** What runs are writing, beside the log. Its followers end when the store is closed. */
  readonly live: Live;

  /**
   * The name by which this process owns leases, claims and slots, unless it is given another one: agents and workers add "#" and characters
   * of their own. Where the store finds that the process of such a name has ended, it takes what that owned as ended: at once when somebody
   * asks for the lease, and before the next `claim`. Undefined for a store that cannot tell by a name: what a dead process owns there ends by
   * its `ttl`, or by another way of the store.
   */
  readonly owner: string | undefined;

  /**
   * Releases the resources of the store. Calling it again does nothing; every other call then throws `closed`. Leases
   * that were not released expire by themselves.
   */
  close(): Promise<void>;
}
