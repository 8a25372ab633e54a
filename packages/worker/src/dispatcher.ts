import type { Key } from "@cogency/storage";

/**
 * Tells workers that the store has something due. What is due stands in the store alone, and every worker claims it there: a
 * wake that is lost, late, repeated or given to several workers delays at most, until a worker looks by itself.
 */
export interface Dispatcher {
  /**
   * Tells a worker, of any process, to look at what is due. Call it after what made the conversation due is in the store; a store of
   * `wakingStore` does so.
   *
   * INVARIANT (nothing is swallowed): while nothing fails, a handler is called after each wake, at its time, also if the wake comes
   * while a handler runs, or while another wake of the same conversation waits for a later time. Wakes of one conversation that wait
   * for the same time may be one.
   */
  wake(key: Key, options: WakeOptions): Promise<void>;
  /**
   * Calls `handler` for each wake. A wake is acknowledged when the handler has resolved or rejected, and is not repeated. Goes on by
   * itself after a failure of the engine.
   *
   * INVARIANT (one at a time): while a handler runs, it is not called again.
   * INVARIANT (back-pressure): while a handler runs, wakes go to other workers.
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

/**
 * Claims what is due in the store, whichever wake it was. Resolves once the worker has a place for more, which may take as long as a
 * conversation.
 */
export type WakeHandler = () => Promise<void>;

/**
 * Resolves once no handler runs and none will be called. A wake that the worker had been given is lost or goes to another worker.
 *
 * INVARIANT (stop): no handler is called after it was asked for.
 */
export type Stop = () => Promise<void>;
