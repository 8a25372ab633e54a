import type { Agent, RunResult } from "@cogency/agent";
import type { Claim, Key, Store } from "@cogency/storage";
import type { Dispatcher } from "./dispatcher.ts";
import type { Verdict } from "./verdict.ts";

export interface WorkerOptions {
  /** The agent that goes on with the conversations. Its store is `store`. */
  agent: Agent;
  store: Store;
  /** What wakes the worker. Defaults to `storeDispatcher(store)`, which needs no engine. */
  dispatcher?: Dispatcher | undefined;
  /** Conversations that run at one time in this process: a whole number ≥ 1. Defaults to 16. */
  concurrency?: number | undefined;
  /** Conversations of one user that run at one time, in all processes. Defaults to no limit. */
  perUser?: number | undefined;
  /**
   * The name of this worker, for people. Defaults to the name that the store has for this process (`Store.owner`), by which it may find that
   * the process has died, with "#" and random characters; without one, to a random name.
   */
  owner?: string | undefined;
  /**
   * Milliseconds until another worker may claim the conversations of one that was lost, where the store does not know that earlier. Defaults
   * to 12,000.
   */
  ttl?: number | undefined;
  /**
   * Tries of one conversation that may fail in a row before it is parked: workers that die over it, and refusals that somebody has to
   * mend. A whole number ≥ 1. Defaults to 5.
   */
  attempts?: number | undefined;
  /**
   * Milliseconds between two looks at what is due, without any wake: how late a lost wake and a timer may be. Defaults to 1,000.
   */
  lookEvery?: number | undefined;
  /** Milliseconds that runs have to end their step when the worker is drained; then they are broken off. Defaults to 10,000. */
  drain?: number | undefined;
  /**
   * Hears what the worker does. What it throws is ignored. Defaults to `troubleLog()`: each new trouble is one line of `console.error`,
   * a failure of the store, of the dispatcher or of runs, or a conversation that is parked. A trouble that lasts is not repeated.
   */
  on?: ((event: WorkerEvent) => void) | undefined;
}

/**
 * Runs conversations that are due, beside any number of other workers: with messages in their inbox, with a run whose process has
 * died, with a timer.
 */
export interface Worker {
  readonly owner: string;
  /**
   * Begins. Resolves once the dispatcher wakes this worker.
   *
   * @throws what the dispatcher throws if it cannot begin, after a drain; Error if it was begun or drained before
   */
  start(): Promise<void>;
  /**
   * Ends: claims nothing more, lets each run end its step, and leaves the rest to other workers, at once. Resolves when nothing runs any
   * more, or after `drain` milliseconds and a few seconds.
   */
  drain(): Promise<void>;
  /** What this worker does at the moment. */
  health(): WorkerHealth;
}

export interface WorkerHealth {
  owner: string;
  state: "idle" | "working" | "draining" | "ended";
  concurrency: number;
  running: readonly { key: Key; attempts: number; seconds: number }[];
  /** Seconds since the store last answered what is due; undefined before. A worker without a free place does not ask. */
  lookedSecondsAgo: number | undefined;
  /** Seconds since the worker asked the store what is due, if it has not answered since; 0 otherwise. */
  silentSeconds: number;
  /** The last error of the store or the dispatcher, until the store answers again. */
  trouble: string | undefined;
  /** Why conversations do not get on that this worker has tried: runs that failed, and have not worked since. */
  failing: readonly FailingConversations[];
  /** The conversations that this worker has parked and not claimed again: the last 100. `store.parked()` has those of all workers. */
  parked: readonly ParkedByWorker[];
}

export type WorkerEvent =
  /** A conversation begins. */
  | { type: "claimed"; claim: Claim }
  /** It ended. `stood`: whether the claim still held; if not, another worker had it meanwhile. */
  | { type: "attended"; claim: Claim; verdict: Verdict; stood: boolean; result: RunResult; seconds: number }
  /** Too many tries in a row have failed. */
  | { type: "parked"; claim: Claim; reason: string }
  /** The store or the dispatcher failed. The worker goes on. */
  | { type: "trouble"; doing: "claim" | "settle" | "dispatch"; error: unknown; claim?: Claim };

/** Conversations that fail in one way. */
export interface FailingConversations {
  /** The code of the notice in their logs, such as `authentication`. */
  code: string;
  /** What the last failure said, on one line. It may hold text of the server, and never a key. */
  message: string;
  /** Their number, as far as this worker knows: at most 1,000. */
  conversations: number;
}

/** A conversation that a worker has parked. */
export interface ParkedByWorker {
  key: Key;
  reason: string;
}
