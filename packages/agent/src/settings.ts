import type { Attachment, JsonSchema, RunEvent } from "@cogency/protocol";
import type { Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import type { Content, KeyRing } from "@cogency/tools";
import type { AgentOptions, Budget, RunOptions } from "./agent-options.ts";
import type { History } from "./history/history.ts";
import type { HookSet } from "./hooks/hook-set.ts";
import type { InstructionsOfRun, RunInstructions } from "./instructions-of-run.ts";
import type { LeaseSettings } from "./log/run-lease.ts";
import type { Model } from "./model.ts";
import type { Run } from "./run.ts";
import type { Listeners } from "./timeline/listeners.ts";
import type { RunToolset } from "./toolset.ts";

/** The options of an agent with every default filled in. Runs read nothing else. */
export interface Settings extends Model, RunToolset {
  /** The models that take the place of this one when it is down, in their order. */
  readonly fallback: readonly Model[];
  /** Whether a run whose session cannot be opened goes on without one. */
  readonly mayReplay: boolean;
  /** Whether the first failed call ends its batch and the run. */
  readonly endsAtFailure: boolean;
  readonly store: Store;
  readonly system: string;
  /** What is added to `system` when a run begins. */
  readonly instructionsOfRun: readonly InstructionsOfRun[];
  /** What was added for this run; undefined before that. */
  readonly ofRun?: readonly RunInstructions[];
  /** What requests show of the conversation. */
  readonly history: readonly History[];
  /** Whether each request leaves a `request` record. */
  readonly recordsRequests: boolean;
  /** What the system prompt holds. */
  readonly instructionsHold: readonly Content[];
  readonly limits: RunLimits;
  /** The limits that a budget names, beside the others. Throws for those that cannot be. */
  readonly limitsWith: (budget: Budget | undefined, others: RunLimits) => RunLimits;
  readonly attachments: AttachmentBounds;
  readonly keyRing: KeyRing;
  readonly whenUnanswered: "wait" | "deny";
  /** What conversations that the agent begins belong to. */
  readonly scope: string | undefined;
  readonly lease: LeaseSettings;
  /** Whether runs show what they write to whoever watches the conversation. */
  readonly live: boolean;
  /** The hooks of the loop; undefined without any. */
  readonly hooks: HookSet | undefined;
  /** They hear the events of every run. */
  readonly listeners: Listeners;
  readonly clock: () => number;
  /** Starts the run of an agent with these options in place of its own, for a call. */
  readonly startChild: StartChild;
  /** What the answer must be, for a run that answers with an object. */
  readonly object?: ObjectTarget;
}

export type StartChild = (
  changes: Pick<AgentOptions, "instructions" | "instructionsHold" | "budget"> & {
    tools: readonly string[];
    provider: Provider | undefined;
    driver: AgentOptions["driver"];
  },
  prompt: string,
  // A `ParentLink`, which is made of these settings.
  options: RunOptions & { conversation: string; parent: { readonly context: object } },
) => Run<RunEvent>;

/** The limits of a run. `Infinity` is none. */
export interface RunLimits extends Amounts {
  /** The time of a run. */
  readonly seconds: number;
  readonly failures: number;
  readonly repeats: number;
  /** Failed calls in a row. */
  readonly failedCalls: number;
  /** Calls in one batch. */
  readonly calls: number;
  /** Steps that hooks may ask for. */
  readonly continuations: number;
  /** Undefined if none was given: then it is that of `usualTokens` where the price is known, and none elsewhere. */
  readonly cost: number | undefined;
  /** The limits of the conversation, over all its runs. */
  readonly conversation: Amounts;
}

/** What is counted, of a run as of a conversation. */
export interface Amounts {
  readonly steps: number;
  readonly tokens: number;
  readonly toolCalls: number;
  /** In the currency of the prices. */
  readonly cost: number | undefined;
}

/** What attachments may be. */
export interface AttachmentBounds {
  /** Bytes of one. */
  readonly maxBytes: number;
  /** Bytes of all in one request. */
  readonly maxRequestBytes: number;
  /** What the model takes. */
  readonly kinds: readonly Attachment["kind"][];
}

/** What the answer of a run must be. */
export interface ObjectTarget {
  /** What the model is shown, and the log keeps. */
  readonly schema: JsonSchema;
  /** The value of the last answer that was read, if it fits. */
  readonly found: { value: unknown } | undefined;
  /** Reads an answer. What is wrong with one that does not fit, for the model, which answers again. */
  problemOf(answer: string): Promise<string | undefined>;
}
