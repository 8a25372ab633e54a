import type { LoggedCall } from "./logged-call.ts";
import type { StopSignal } from "./stop-run.ts";
import type { Content } from "./tool.ts";

export interface ResultLimit {
  readonly maxBytes: number;
  /** The tool by which the model can read on. */
  readonly reader?: string;
}

/** What became of one call. */
export interface ToolExecution {
  readonly id: string;
  /** As it was asked about and ran: after hooks, strings read as what they spell, and without the keys that were left out. */
  readonly call: LoggedCall;
  /**
   * - `success`: `value` is what the tool returned
   * - `failure`: it threw, ran out of time, was unknown, or its arguments did not fit
   * - `blocked`: a hook refused it
   * - `denied`: approval was refused or not given
   * - `cancelled`: the run was aborted before it came to an end
   * - `skipped`: an earlier call of the batch ended it
   */
  readonly outcome: "success" | "failure" | "blocked" | "denied" | "cancelled" | "skipped";
  readonly value?: unknown;
  readonly error?: Error;
  /** The tool asked to end the run (`StopRun`). */
  readonly stop?: StopSignal;
  /** The call as the model wrote it, where a hook, or the reading of its arguments, made another one of it. */
  readonly requested?: LoggedCall;
  /** How much of its result the model may see; without it all. */
  readonly resultLimit?: ResultLimit;
  /** False when the tool ignored its signal and may still be at work: it may have completed. */
  readonly settled: boolean;
  /** Whether the tool's body began. */
  readonly started: boolean;
  /**
   * What its result brings into the conversation, as the tool tells when the body has ended; of a body that was left
   * behind also the worst that was to be expected. Of a call that did not start only where its error tells what the tool
   * said of it: what `resource` threw, or a caution.
   */
  readonly brings?: readonly Content[];
  /** Unix time in seconds. */
  readonly startedAt: number;
  readonly completedAt: number;
}
