import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "./key.ts";

/**
 * Carries what runs are writing to whoever watches their conversations, in this process and in every other one that has the store.
 *
 * Pieces are beside the log: never stored, and lost where somebody is slow or something fails. The log stays the only truth. A screen
 * that gets no piece is late, never wrong.
 */
export interface Live {
  /**
   * Begins to publish about a conversation, until `close` of the publisher.
   *
   * @param whole returns all that is open now, each unit from its beginning, for those who begin to follow in the middle of it. Called
   * then, and whenever a follower has lost pieces. What it throws is ignored.
   */
  publisher(key: Key, whole: () => readonly Piece[]): LivePublisher;

  /**
   * Yields the pieces of a conversation, those of one moment together, in the order in which each run has published them: at first what
   * is open, from its beginning. Waits for a conversation that does not exist yet. Ends when `signal` aborts or the store is closed;
   * a follower that must hear of both, follows the log too.
   *
   * Bounded: for a follower that does not pull, pieces of one unit are joined, and at most 1,000,000 characters wait. What is above is
   * dropped; when it pulls again, it gets what is open then, from its beginning.
   */
  follow(key: Key, options?: LiveOptions): AsyncIterable<readonly Piece[]>;
}

export interface LiveOptions {
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

/** Publishes what the runs of one process write in a conversation. */
export interface LivePublisher {
  /**
   * Whether anybody follows the conversation, in any process. Where nobody does, no piece needs to be made. It may be wrong for as long
   * as news take between processes: half a second on one machine, a second between machines.
   */
  readonly isFollowed: boolean;
  /** Never throws and never waits. */
  publish(pieces: readonly Piece[]): void;
  close(): void;
}
