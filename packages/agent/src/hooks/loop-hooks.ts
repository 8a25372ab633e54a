import type { ToolSpec } from "@cogency/protocol";
import type { ModelRequest, Price } from "@cogency/provider";
import type { BatchContext, ToolExecution } from "@cogency/tools";
import type { LoggedCall, StopSignal } from "@cogency/tools/host";
import type { RunEnding } from "../ending.ts";
import type { RunError } from "../errors.ts";
import type { StepOutcome } from "../loop/step-outcome.ts";
import type { Trailer } from "../loop/trailer.ts";
import type { Model } from "../model.ts";
import type { RunResult } from "../run.ts";
import type { BeforePrompt, OnQuestion } from "./agent-hook.ts";
import type { Decision } from "./continuation.ts";
import type { LoopPoint } from "./hook-points.ts";

/** What the model has written in a step. */
export interface Response {
  readonly text: string;
  readonly logged: readonly LoggedCall[];
  readonly trailer: Pick<Trailer, "finish" | "usage">;
}

/** A request as hooks let it be made. */
export interface SeenRequest {
  request: ModelRequest;
  price: Price | undefined;
}

/**
 * The hooks of one run. Each method calls those of its point, and changes the run as they say. A guard that fails throws RunError
 * `hook`; a watcher that fails stands on the timeline. If the run is aborted, hooks that have not returned have no effect.
 */
export interface LoopHooks {
  /** Decides whether the run may take the step that hooks ask for. */
  budget: { stopBefore(): StopSignal | undefined } | undefined;
  has(point: LoopPoint): boolean;
  /** Why a tool may not run in this step; undefined if all may. */
  readonly refuse: BatchContext["refuse"];
  /** Those of the tools that the hooks let the model have in this step. */
  narrowed(offered: readonly ToolSpec[]): readonly ToolSpec[];
  /** @returns why the words are not taken; undefined if they are */
  beforePrompt(prompt: string, kind: BeforePrompt["kind"]): Promise<string | undefined>;
  /** Does not wait for the hooks; `afterRun` does. */
  onQuestion(question: Pick<OnQuestion, "call" | "question" | "asks">): void;
  /** Does nothing the second time. @returns how the run ends, if a hook has stopped it */
  beforeRun(mode: "run" | "recover"): Promise<RunEnding | undefined>;
  /**
   * Lets the step that comes have what the hooks choose, until `endStep`.
   *
   * @param resumes whether it goes on with open calls; what the model is told then waits for their results
   * @returns how the run ends, if a hook has stopped it
   */
  beforeStep(resumes: boolean): Promise<RunEnding | undefined>;
  /** Takes back what was chosen for the step. */
  endStep(): Promise<void>;
  /**
   * Lets the hooks see the next request of the step, whose usage then counts at the price of its model.
   *
   * @throws StoppedByHook
   */
  beforeRequest(given: ModelRequest): Promise<ModelRequest>;
  /**
   * Lets the hooks see a request that is no step. Gives it with the price of its model.
   *
   * @throws StoppedByHook
   */
  beforeSummary(given: ModelRequest, asked: Pick<Model, "provider" | "price">): Promise<SeenRequest>;
  /** Returns why the run ends before any call of the response runs. */
  afterResponse(response: Response): Promise<StopSignal | undefined>;
  /** Decides with the hooks after a step, whose usage counts already. @param ending how the run would end without them */
  afterStep(
    outcome: StepOutcome,
    executions: readonly ToolExecution[],
    response: Response,
    ending: RunEnding | undefined,
  ): Promise<Decision>;
  /** Called where the run ends without a step. Hooks cannot ask for one. */
  stopping(ending: RunEnding): Promise<RunEnding>;
  onError(error: RunError): Promise<void>;
  afterRun(result: RunResult): Promise<void>;
}
