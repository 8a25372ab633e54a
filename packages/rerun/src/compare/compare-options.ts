import type { Agent, AgentOptions, Budget } from "@cogency/agent";
import type { Prices, Provider } from "@cogency/provider";
import type { Store, StoredEvent } from "@cogency/storage";

/** One way to go on with a conversation. What is not given is as the agent has it. */
export interface Variant {
  /** Names it in the result. */
  readonly name: string;
  /** The model. */
  readonly provider: Provider;
  readonly driver?: AgentOptions["driver"];
  /** Take the place of the agent's own, if the agent is made with the parts as `createAgent` takes them. */
  readonly identity?: string | undefined;
  readonly instructions?: string | undefined;
  readonly request?: AgentOptions["request"];
}

/** Options of `createAgent` for the run of one variant: put them after the agent's own. Only what the variant gives is there. */
export interface VariantParts extends Pick<AgentOptions, "driver" | "identity" | "instructions" | "request"> {
  provider: Provider;
  store: Store;
  /** So that each request holds the whole conversation. */
  mode: "replay";
  recordRequests: true;
}

/** A log, or where a store has it. */
export type ComparedSource =
  | readonly StoredEvent[]
  | { readonly store: Pick<Store, "load">; readonly conversation: string; readonly user?: string | undefined };

export interface CompareOptions {
  /**
   * The number of an event: variants begin with the first request at or after it. Never one inside of what the model wrote in one step.
   * Defaults to the last words of the person that began a turn; from there, all turns that followed run again.
   */
  readonly from?: number | undefined;
  /** They run one after another. */
  readonly variants: readonly Variant[];
  /** Makes the agent of one run. It must use the store of the parts. */
  readonly agent: (parts: VariantParts, variant: Variant) => Agent | Promise<Agent>;
  /**
   * - `"recorded"`, the default: a call gets the result of the recorded call with the same name and arguments, each once and in order; any
   *   other call fails with `not_recorded`. No tool runs.
   * - `"run"`: the tools of the agent run
   */
  readonly tools?: "recorded" | "run" | undefined;
  /** How often each variant runs. Defaults to 1. */
  readonly repeat?: number | undefined;
  /**
   * Limits of each run, in place of those of the agent. A turn takes at most twice the steps that the recorded one took, whatever
   * `steps` says.
   */
  readonly budget?: Budget | undefined;
  /** For the costs of the recorded run where its log does not have them. */
  readonly prices?: Prices | undefined;
  /** Ends all: `compare` rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}
