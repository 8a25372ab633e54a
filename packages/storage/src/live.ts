import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "./key.ts";

/**
 * Carries what runs are writing to whoever watches their conversations, in this process and in every other one that has the store.
 *
 * Pieces are beside the log: never stored, and lost where somebody is slow or something fails. The log stays the only truth. A screen
 * that gets no piece is late, never wrong.
 *
 * Both sides share the pieces that they give and get, so neither changes them.
 */
export interface Live {
  /**
   * Begins to publish about a conversation, until `close` of the publisher. In a closed store nobody ever follows.
   *
   * @param whole returns all that is open now, each unit from its beginning, for those who begin to follow in the middle of it. Called
   * then, and whenever a follower has lost pieces. What it throws is ignored.
   *
   * INVARIANT (nothing stored): no log, list, search or inbox shows what was published.
   */
  publisher(key: Key, whole: () => readonly Piece[]): LivePublisher;

  /**
   * Yields the pieces of a conversation, those of one moment together, in the order in which each run has published them: at first what
   * is open, from its beginning. Waits for a conversation that does not exist yet, and goes on when it is deleted. Ends when `signal`
   * aborts or the store is closed; a follower that must hear of deletes follows the log too.
   *
   * INVARIANT (no hole): of each unit, the follower gets the beginning first, and then only pieces that begin where what it has ends, or
   * earlier. If pieces were lost, it gets nothing of the unit until `whole` has given it from its beginning again.
   *
   * INVARIANT (bounded): for a follower that does not pull, pieces of one unit are joined, and at most 1,000,000 characters wait. What is
   * above is dropped; when it pulls again, it gets what is open then, from its beginning.
   *
   * INVARIANT (live isolation): nobody gets pieces of another conversation or another user.
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
   * as news take between processes: half a second on one machine, a second between machines, and some seconds after a machine was lost.
   */
  readonly isFollowed: boolean;
  /** Never throws and never waits, also after `close` and in a closed store. */
  publish(pieces: readonly Piece[]): void;
  /** Calling it again does nothing. */
  close(): void;
}
