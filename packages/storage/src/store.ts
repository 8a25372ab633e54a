import type { LogEvent } from "@cogency/protocol";

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
}

export interface LoadOptions {
  /** Only events with a greater sequence number. */
  after?: number | undefined;
  /** Only the last so many of what the other options leave: a whole number from 0 up, or `Infinity`, the default. */
  last?: number | undefined;
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

/**
 * Where conversations live. A store keeps one ordered, append-only log of events per key and nothing else: whatever
 * an agent knows about a conversation can be rebuilt from it.
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
   * @throws InvalidEventError (`invalid_event`) for an event type that is not persisted (protocol.md §3), a timestamp
   * that is not finite, anything else that JSON cannot hold, or more than the store can hold in one event; strings are stored well-formed (protocol.md P13)
   * INVARIANT: the batch is in the log as a whole or not at all, also after the process is killed.
   * INVARIANT: what resolved is readable by every later `load`.
   * INVARIANT: a `batch` id that was stored before returns the first result and stores nothing, whatever `expected` is.
   */
  append(key: Key, events: readonly LogEvent[], options?: AppendOptions): Promise<number>;

  /**
   * The log of `key` ordered by sequence number; empty for a key that was never written.
   *
   * @throws RangeError if `last` is negative, a fraction or NaN
   */
  load(key: Key, options?: LoadOptions): Promise<StoredEvent[]>;

  /**
   * The user's conversations, the most recently appended first.
   *
   * @throws RangeError if `limit` is negative, a fraction or NaN
   */
  conversations(options?: ConversationsOptions): Promise<ConversationSummary[]>;

  /** Remove a conversation; true if there was one. INVARIANT: nothing of it is left behind. */
  delete(key: Key): Promise<boolean>;

  /** Release what the store holds; calling it again does nothing. Every other call then fails with `closed`. */
  close(): Promise<void>;
}
