import type { FinishReason, Usage } from "@cogency/protocol";
import type { ModelRequest, Provider } from "@cogency/provider";
import type { Content, ToolExecution, ToolHook } from "@cogency/tools";
import type { HookContext, LoggedCall, MetadataPatch, StopSignal } from "@cogency/tools/host";
import type { Driver, RequestSettings } from "../drivers/driver.ts";
import type { RunEnding } from "../ending.ts";
import type { RunError } from "../errors.ts";
import type { RunResult } from "../run.ts";

/**
 * Called at the points of each run of an agent. At each point hooks run by priority, one after another; each sees what the ones
 * before it have changed. `state.events` is the log as it was when the step began.
 *
 * - A guard (`before…`, `afterResponse`) fails closed: if it throws, takes longer than `execution.timeout` or returns what its point
 *   does not admit, the run fails with `hook`. Around calls, the call is blocked, or its result withheld.
 * - A watcher (`onQuestion`, `afterStep`, `onStop`, `onError`, `afterRun`) fails open: a `hook_violation` stands on the timeline, and the run goes on
 *   as without it.
 *
 * A run that is aborted does not wait for its hooks; the last ones, `onError` and `afterRun`, get 100 ms.
 */
export interface AgentHook extends ToolHook {
  /** Called with words of a person before they are stored: the prompt of a run, and each prompt and steer of the inbox. */
  beforePrompt?(context: BeforePrompt): Returned<BeforePromptEffect>;
  /** Called once in a run that has work to do: after its prompt is stored, and before calls that an earlier run left open go on. */
  beforeRun?(context: BeforeRun): Returned<BeforeRunEffect>;
  /** Called before each step, and before calls that were left open go on. What it chooses holds for this step alone. */
  beforeStep?(context: BeforeStep): Returned<BeforeStepEffect>;
  /**
   * Called before each request to a model: several in a step, if the driver asks again or another provider takes over, and those for
   * summaries.
   */
  beforeRequest?(context: BeforeRequest): Returned<BeforeRequestEffect>;
  /** Called when the model has written all of a step, before any call of it runs. With such a hook no call starts early. */
  afterResponse?(context: AfterResponse): Returned<RunEffect>;
  /** Called when a question to a person stands, also one that is answered elsewhere. The question does not wait for it. */
  onQuestion?(context: OnQuestion): Returned<object>;
  /** Called after each step that came to an end: not one that waits, fails or is interrupted. Its results are not stored yet. */
  afterStep?(context: AfterStep): Returned<AfterStepEffect>;
  /** Called when the run is about to end as `completed` or `stopped`, before that is stored. Not for a run that is aborted. */
  onStop?(context: OnStop): Returned<OnStopEffect>;
  /** Called when the run has failed, before `afterRun`. */
  onError?(context: OnError): Returned<EndEffect>;
  /** Called at the end of every run, also of one that failed, was cancelled or waits. */
  afterRun?(context: AfterRun): Returned<EndEffect>;
}

type Returned<Effect> = Effect | undefined | Promise<Effect | undefined>;

export interface BeforePrompt extends HookContext {
  readonly prompt: string;
  /** Whether it begins a turn, or was sent into the middle of one. */
  readonly kind: "prompt" | "steer";
}

export interface OnQuestion extends HookContext {
  readonly call: LoggedCall;
  /** The id of the question. */
  readonly question: string;
  /** Whether the call may run, or what its body asks. */
  readonly asks: "approval" | "answer";
}

export interface BeforeRun extends HookContext {
  readonly mode: "run" | "recover";
}

export interface BeforeStep extends HookContext {
  /** The names of the agent's tools, with those that its sources have now. */
  readonly tools: readonly string[];
  /** Those of them that claim to change nothing (`readOnlyHint`). */
  readonly readOnlyTools: readonly string[];
  /** Whether calls that were left open go on: the model is not asked, so only `tools`, `stop`, `patch` and `notify` have an effect. */
  readonly resumes: boolean;
}

export interface BeforeRequest extends HookContext {
  readonly provider: Pick<Provider, "name" | "model">;
  /** What is asked for: a step of the model, or a summary of earlier events by `compaction`. */
  readonly purpose: "step" | "summary";
  /** As it will be sent, with the changes of earlier hooks. Frozen, at any depth. */
  readonly request: ModelRequest;
}

export interface AfterResponse extends HookContext {
  /** The text for the user. */
  readonly text: string;
  /** The calls as the model wrote them; none if their block was refused. */
  readonly calls: readonly LoggedCall[];
  readonly finish: FinishReason;
  /** Of this step. */
  readonly usage: Usage;
}

export interface AfterStep extends HookContext {
  /** An answer, calls that ran, or an answer that cannot be used: the model will be told why. */
  readonly outcome: "answered" | "acted" | "unusable";
  /** The text for the user. */
  readonly text: string;
  /** The calls that ran. */
  readonly executions: readonly ToolExecution[];
  /** Of this step. */
  readonly usage: Usage;
}

/** `stop` is why the run ends; absent for a complete answer. */
export interface OnStop extends HookContext, Pick<RunEnding, "stop"> {
  readonly status: "completed" | "stopped";
  /** The answer so far. */
  readonly text: string;
}

export interface OnError extends HookContext {
  readonly error: RunError;
}

export interface AfterRun extends HookContext {
  readonly result: RunResult;
}

/** What is left out of a signal is empty; its `source` is the hook. */
export type StopRequest = Pick<StopSignal, "reason"> & Partial<StopSignal>;

/** What hooks of most points may return. */
export interface RunEffect extends EndEffect {
  /**
   * Ends the run: before the step, the request or the calls that were to come, else after the step. Of several signals the strongest
   * reason counts.
   */
  stop?: StopRequest | undefined;
}

export interface EndEffect {
  /** Changes the metadata of the run: tools and later hooks read it, and `RunResult.metadata` gives it. */
  patch?: MetadataPatch | undefined;
}

export interface BeforePromptEffect extends EndEffect {
  /** Why the words are not taken: they are stored nowhere, and a run that was to begin with them fails with `prompt_refused`. */
  refuse?: string | undefined;
}

export interface BeforeRunEffect extends RunEffect {
  /** Tells the model something: a `user` event with the origin `notice` is stored. */
  notify?: string | undefined;
  /** What the text holds: the conversation holds it from here on. */
  holds?: readonly Content[] | undefined;
}

export interface BeforeStepEffect extends BeforeRunEffect {
  /** The model of this step. Settings of `request` that name a model of the agent's own provider do not hold for it. */
  provider?: Provider | undefined;
  /** How the model is asked in this step. */
  driver?: Driver | undefined;
  /** Settings of the requests of this step, in place of the agent's own. */
  request?: StepRequest | undefined;
  /**
   * The only tools that may run in this step. The model is offered no other, and a call of another is blocked. A name that no tool has is
   * an error, unless the agent has sources of tools.
   */
  tools?: readonly string[] | undefined;
}

/** Settings of a request that a hook may choose. */
export type StepRequest = Pick<RequestSettings, "model" | "maxOutputTokens" | "temperature" | "thinking" | "options">;

export interface BeforeRequestEffect extends RunEffect {
  /** Settings of this request, in place of those that it has. Its messages are those of the log, and stay. */
  request?: StepRequest | undefined;
}

export interface AfterStepEffect extends RunEffect {
  /**
   * The run takes another step where it would end, and the model reads this text: a `user` event with the origin `notice`. It has no
   * effect where a budget, a guard or a person ends the run, that is, against any reason but `completed`, `finish_reason`,
   * `stop_requested` and `unknown`. At most `budget.continuations` times in a run.
   */
  continue?: string | undefined;
  /** What that text holds. */
  holds?: readonly Content[] | undefined;
}

/** As that of `afterStep`. */
export type OnStopEffect = AfterStepEffect;
