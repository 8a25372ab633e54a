import type { FinishReason, ResultEvent } from "@cogency/protocol";
import type { StopSignal } from "@cogency/tools/host";
import type { RunEnding } from "../ending.ts";

export type StepOutcome =
  /** The model's turn is complete, or was cut off. `text` may be empty. */
  | { type: "answered"; text: string; finish: FinishReason }
  /** A batch ran. The model sees its results in the next step, unless `stop` ends the run. */
  | { type: "acted"; stop: StopSignal | undefined; fingerprint: string; counts: ResultEvent["payload"] }
  /**
   * The model wrote neither an answer nor a batch that can run. `text` is what it wrote, `finish` says whether it was cut off. `stop`
   * ends the run.
   */
  | { type: "unusable"; problem: string; text: string; finish?: FinishReason; stop?: StopSignal | undefined }
  /** Calls of the batch wait for answers. */
  | { type: "waiting" }
  /** The run's signal has aborted. */
  | { type: "interrupted" }
  /** The request does not fit into what is left of the budget. It was not made, and no step was taken. */
  | { type: "unaffordable"; stop: StopSignal };

/** What a step came to, and the ending of the run if that ends it. The ending is stored in one append with the usage. */
export interface CompletedStep {
  outcome: StepOutcome;
  ending?: RunEnding | undefined;
}

/** How the run ends after a step with this outcome; undefined if it goes on. */
export type EndingAfter = (outcome: StepOutcome) => RunEnding | undefined;

/** The step of an aborted run. */
export const interrupted: CompletedStep = { outcome: { type: "interrupted" } };
