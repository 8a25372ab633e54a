import type { ToolCall } from "@cogency/protocol";

/** What became of one call. */
export interface ToolExecution {
  readonly id: string;
  readonly call: ToolCall & { id: string };
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
  /** False when the tool ignored its signal and may still be at work: it may have completed. */
  readonly settled: boolean;
  /** Whether the tool's body began. */
  readonly started: boolean;
  /** Unix time in seconds. */
  readonly startedAt: number;
  readonly completedAt: number;
}
