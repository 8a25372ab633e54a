/**
 * What one user may do. Each is a whole number ≥ 1, or `Infinity` for no limit. All but `waiting` count in this process alone: behind
 * two servers a user may do twice as much.
 */
export interface LimitOptions {
  /** Requests in a minute. As many may come at once; after that they are let in one by one, evenly. Defaults to 600. */
  requests?: number | undefined;
  /** Streams of events that are open at one time. Defaults to 20. */
  streams?: number | undefined;
  /**
   * Messages that wait in the inbox of one conversation, counted in the store: so many prompts and steers, and besides as many others, so
   * that a person can cancel what too many prompts have begun. Requests of one moment may go over it by 16 a process. Defaults to 50.
   */
  waiting?: number | undefined;
  /** Conversations that are begun in an hour, by a message or as a fork. Defaults to no limit. */
  conversations?: number | undefined;
}
