import type { StoredEvent } from "@cogency/storage";
import type { CallUse } from "../record/recorded-calls.ts";
import type { CallDifference } from "./align-calls.ts";
import type { ComparedPrefix } from "./compared-prefix.ts";
import type { RunMeasures } from "./measure-run.ts";

/** What one conversation became in each of several ways to go on with it. */
export interface Comparison {
  readonly conversation: string;
  /** The number of the first event that the variants do not share. */
  readonly from: number;
  /** How many events they share. */
  readonly shared: number;
  /** The last words of the person that they share. */
  readonly prompt: string;
  readonly recorded: ComparedRun;
  /** In the order of the options; a variant that is repeated has several in a row. */
  readonly variants: readonly VariantRun[];
}

export interface ComparedRun extends RunMeasures {
  /** `recorded`, or the name of the variant. */
  readonly name: string;
  /** Undefined if the log does not say it. */
  readonly model: string | undefined;
  /** How the last turn ended. `unfinished`: a process died, or the run failed and may be tried again. */
  readonly status: "completed" | "stopped" | "failed" | "waiting" | "cancelled" | "unfinished";
  /** Why it stopped or failed, in one word. */
  readonly reason?: string;
  /** The same for a person: the message of the error or of the stop. */
  readonly message?: string;
  /** How many calls it made. */
  readonly calls: number;
}

export interface VariantRun extends ComparedRun {
  /** From 1; above it for a variant that is repeated. */
  readonly repetition: number;
  readonly driver: string | undefined;
  readonly provider: string;
  /** Undefined if the model was not asked. */
  readonly prefix: ComparedPrefix | undefined;
  /** The recorded calls and those of the variant, side by side. */
  readonly differences: readonly CallDifference[];
  /** What each call got from the record; undefined where the tools of the agent ran. */
  readonly uses: readonly CallUse[] | undefined;
  /** The conversation that the variant made, a fork of the recorded one, with the name that its origin is signed for. */
  readonly fork: { readonly conversation: string; readonly log: readonly StoredEvent[] };
}
