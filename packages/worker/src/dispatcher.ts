import type { Key } from "@cogency/storage";

/**
 * Tells workers that the store has something due. What is due stands in the store alone, and every worker claims it there: a
 * wake that is lost, late, repeated or given to several workers delays at most, until a worker looks by itself.
 */
export interface Dispatcher {
  /**
   * Tells a worker, of any process, to look at what is due. Call it after what made the conversation due is in the store; a store of
   * `wakingStore` does so after each `post` and `wake`.
   */
  wake(key: Key, options: WakeOptions): Promise<void>;
  /**
   * Calls `handler` for each wake, one at a time: while its promise is pending, the worker takes no more, and the wakes belong to
   * others. The promise resolves once the worker has looked, long before the conversation has ended: a wake is acknowledged then, and
   * is never repeated because a conversation takes long.
   *
   * @returns ends the calls
   */
  work(handler: WakeHandler): Promise<Stop>;
}

export interface WakeOptions {
  /** Unix time in milliseconds by the clock of the store. Defaults to now. */
  at?: number | undefined;
  /** Why, for people who look into the engine: `inbox`, `timer:<id>`. */
  reason: string;
}

/** @param key the conversation, if the engine knows which; the worker takes whatever is due */
export type WakeHandler = (key: Key | undefined, context: { signal: AbortSignal }) => Promise<void>;

/** Resolves once no handler is called any more. */
export type Stop = () => Promise<void>;
