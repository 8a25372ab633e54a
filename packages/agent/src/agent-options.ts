import type { JsonObject } from "@cogency/protocol";
import type { Prices, Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import type { ExecutorOptions, KeyRing, Tool } from "@cogency/tools";
import type { Driver, RequestSettings } from "./driver.ts";
import type { Run } from "./run.ts";

export interface AgentOptions {
  provider: Provider;
  /** None by default. */
  tools?: readonly Tool[] | undefined;
  /** In memory by default. */
  store?: Store | undefined;
  /** The text protocol in its JSON dialect by default. */
  driver?: Driver | undefined;
  /**
   * `"replay"`: every model request holds the whole conversation, assembled from the store. `"resume"`: a run keeps a
   * session with the provider, which is told what is new, and is opened anew from the store whenever it cannot go on.
   * `"auto"`, the default: `"resume"` if the provider keeps sessions.
   */
  mode?: "auto" | "replay" | "resume" | undefined;
  /** Who the model is, in the first lines of the system prompt. */
  identity?: string | undefined;
  /** What it should heed, after that. */
  instructions?: string | undefined;
  budget?: Budget | undefined;
  /** How calls are run: approval, hooks, concurrency, limits, observer. */
  execution?: ExecutionOptions | undefined;
  /** Settings of every model request. */
  request?: RequestSettings | undefined;
  /** What models cost; without the model's own price no `cost` is told. */
  prices?: Prices | undefined;
  /**
   * Signs what this installation writes about itself: answers to questions for approval, and where a conversation began.
   * What it cannot verify counts as somebody else's. Defaults to a random ring of this process: approvals then do not
   * outlive it, and a conversation that an earlier process began counts as holding untrusted and private content.
   */
  keyRing?: KeyRing | undefined;
  /** What its conversations belong to, such as a project's folder; stored in a conversation's `origin` record. */
  scope?: string | undefined;
  /** How a run is the single writer of its conversation. */
  lease?: AgentLeaseOptions | undefined;
  /** Unix time in seconds; the system's clock by default. */
  clock?: (() => number) | undefined;
  /** Receives what the host should know before the first run, a sentence each; `console.warn` by default. */
  warn?: ((message: string) => void) | undefined;
}

/** How the executor runs calls; its registry and key ring are made from `tools` and `keyRing`. */
export type ExecutionOptions = Omit<ExecutorOptions, "registry" | "keyRing">;

/**
 * A run takes a lease of its conversation before it reads it, renews it while it lives, and gives it back when it is
 * over, however it ends.
 */
export interface AgentLeaseOptions {
  /**
   * Milliseconds after which others may go on with the conversation when the process has died; 30,000 by default. It is
   * renewed whenever a third of it is over.
   */
  ttl?: number | undefined;
  /**
   * Who writes, for others to read in LeaseHeldError; a random name by default. A run's own name is this one, "#", and
   * random characters.
   */
  owner?: string | undefined;
  /**
   * Asked when another one holds the lease, with its name as in LeaseHeldError: whether it is known to be dead. If so,
   * its lease is taken over at once. By default nobody is known to be.
   */
  isGone?: ((owner: string) => boolean | Promise<boolean>) | undefined;
}

export interface Budget {
  /** Model requests that one run may take; 20 by default. */
  steps?: number | undefined;
  /** Times in a row that the model may write nothing usable before the run fails; 3 by default. */
  failures?: number | undefined;
  /** Times in a row that the same calls may give the same results before the run is stopped; 3 by default. */
  repeats?: number | undefined;
  /** Calls that one batch may hold; 1,000 by default. A larger block is refused as a whole, and the model is told. */
  calls?: number | undefined;
}

export interface RunOptions {
  /** Goes on with a conversation, or begins it under this name. A new one with a random name by default. */
  conversation?: string | undefined;
  /** Whose conversation it is. */
  user?: string | undefined;
  /**
   * `"token"`: pieces as they arrive. `"event"`, the default: whole units. `null`: one non-streaming model request a
   * step, events as in `"event"` (protocol.md §3).
   */
  stream?: "token" | "event" | null | undefined;
  /**
   * Where the prompt came from, if no person wrote it or vouches for it, such as "piped input": the conversation then
   * holds untrusted content from there.
   */
  untrusted?: string | undefined;
  /**
   * Cancels the run. Where its reason is a TimeoutError, as that of `AbortSignal.timeout` is, it is a deadline: the run
   * is interrupted, and `recover` goes on with it.
   */
  signal?: AbortSignal | undefined;
  /** Handed to tools in their context. */
  metadata?: JsonObject | undefined;
}

export interface Agent {
  /** Say something to the agent; it works until it has answered. */
  run(prompt: string, options?: RunOptions): Run;
  /** Go on where a crash, a deadline or a cancel left a conversation, without saying anything new. */
  recover(options: Omit<RunOptions, "untrusted"> & { conversation: string }): Run;
}
