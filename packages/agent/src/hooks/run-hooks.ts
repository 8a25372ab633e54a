import { type AbortScope, createAbortScope, isPromise } from "@cogency/async";
import type { LogEvent, ToolSpec, Usage, UserEvent } from "@cogency/protocol";
import { type ModelRequest, sumUsage } from "@cogency/provider";
import type { Content, ToolError, ToolExecution } from "@cogency/tools";
import {
  type HookContext,
  hookFailedError,
  type MetadataPatch,
  readOnlyState,
  type StopSignal,
  strongestStop,
} from "@cogency/tools/host";
import { endingOfStop, type RunEnding } from "../ending.ts";
import { RunError } from "../errors.ts";
import { contentRecord } from "../log/held-content.ts";
import type { StepOutcome } from "../loop/step-outcome.ts";
import { tellModel } from "../loop/tell-model.ts";
import type { Model } from "../model.ts";
import type { RunResult } from "../run.ts";
import type { RunContext } from "../run-context.ts";
import type {
  AfterStep,
  AfterStepEffect,
  AgentHook,
  BeforePrompt,
  BeforeRequest,
  BeforeRunEffect,
  OnQuestion,
  RunEffect,
} from "./agent-hook.ts";
import { callHook } from "./call-hook.ts";
import { type Decision, endingOfContinuations, isFinal, plainDecision } from "./continuation.ts";
import { frozenRequest } from "./frozen-request.ts";
import { isObject, type LoopPoint, loopPoints } from "./hook-points.ts";
import type { HookSet } from "./hook-set.ts";
import type { LoopHooks, Response, SeenRequest } from "./loop-hooks.ts";
import { type Refusal, StepChoice, withSettings } from "./step-choice.ts";

/** A request that a hook has stopped. */
export class StoppedByHook extends Error {
  override readonly name = "StoppedByHook";
  readonly stop: StopSignal;

  constructor(stop: StopSignal) {
    super(stop.message);
    this.stop = stop;
  }
}

/** The hooks of one run, called in the order of the set. */
export class RunHooks implements LoopHooks {
  budget: LoopHooks["budget"];
  readonly #set: HookSet;
  readonly #context: RunContext;
  readonly #scope = createAbortScope();
  readonly #unfollow: () => void;
  #events: readonly LogEvent[] = [];
  #hasBegun = false;
  #continuations = 0;
  /** What the model is told before its next step. */
  #notices: string[] = [];
  /** What that holds. */
  #held: Content[] = [];
  /** Hooks that hear of questions. */
  readonly #hearing = new Set<Promise<unknown>>();
  #choice: StepChoice | undefined;
  #takeBack: (() => Promise<void>) | undefined;
  readonly #lists = new Map<string, readonly ToolSpec[]>();

  constructor(set: HookSet, context: RunContext) {
    this.#set = set;
    this.#context = context;
    this.#unfollow = this.#scope.follow(context.signal);
  }

  has(point: LoopPoint): boolean {
    return this.#set.at[point].length > 0;
  }

  get refuse(): ((name: string) => Refusal | undefined) | undefined {
    return this.#choice?.refuse;
  }

  narrowed(offered: readonly ToolSpec[]): readonly ToolSpec[] {
    return this.#choice?.narrowed(offered, this.#lists) ?? offered;
  }

  async beforePrompt(prompt: string, kind: BeforePrompt["kind"]): Promise<string | undefined> {
    if (!this.has("beforePrompt")) return undefined;
    this.#events = await this.#context.log.load();
    const refusals: string[] = [];
    await this.#each(
      "beforePrompt",
      (hook, shared) => hook.beforePrompt?.({ ...shared, prompt, kind }),
      ({ refuse }) => void (refuse !== undefined && refusals.push(`A hook refused the prompt: ${refuse}`)),
    );
    return refusals[0];
  }

  onQuestion(question: Pick<OnQuestion, "call" | "question" | "asks">): void {
    if (!this.has("onQuestion")) return;
    const hearing = this.#each("onQuestion", (hook, shared) => hook.onQuestion?.({ ...shared, ...question }))
      .catch(() => {})
      .finally(() => this.#hearing.delete(hearing));
    this.#hearing.add(hearing);
  }

  async beforeRun(mode: "run" | "recover"): Promise<RunEnding | undefined> {
    if (this.#hasBegun) return undefined;
    this.#hasBegun = true;
    this.#events = await this.#context.log.load();
    const stop = await this.#each(
      "beforeRun",
      (hook, shared) => hook.beforeRun?.({ ...shared, mode }),
      (effect) => this.#note(effect),
    );
    return stop && endingOfStop(stop);
  }

  async beforeStep(resumes: boolean): Promise<RunEnding | undefined> {
    const { log, settings, meter } = this.#context;
    this.#events = await log.load();
    const tools = settings.registry.names();
    const readOnlyTools = settings.registry.specs().flatMap(({ name, readOnly }) => (readOnly === true ? [name] : []));
    const choice = new StepChoice();
    let isChosen = false;
    const stop = await this.#each(
      "beforeStep",
      (hook, shared) => hook.beforeStep?.({ ...shared, tools, readOnlyTools, resumes }),
      (effect, { name }) => {
        this.#note(effect);
        isChosen ||= [effect.provider, effect.driver, effect.request, effect.tools].some((part) => part !== undefined);
        // Of tools that come and go, a name may be that of none now.
        choice.take(name, effect, this.#context.tools ? undefined : settings.registry);
      },
      { step: resumes ? meter.steps : meter.steps + 1 },
    );
    if (!resumes) await this.#tellModel();
    if (stop) return endingOfStop(stop);
    if (!isChosen) return undefined;
    this.#choice = choice;
    if (!resumes) this.#takeBack = choice.apply(this.#context, this.#set, this.#lists);
    return undefined;
  }

  async endStep(): Promise<void> {
    const takeBack = this.#takeBack;
    this.#choice = this.#takeBack = undefined;
    await takeBack?.();
    this.#context.meter.price = this.#context.settings.price;
  }

  async beforeRequest(given: ModelRequest): Promise<ModelRequest> {
    const { settings, meter } = this.#context;
    const { request, price } = await this.#seen(given, settings, "step");
    meter.price = price;
    return request;
  }

  beforeSummary(given: ModelRequest, asked: Pick<Model, "provider" | "price">): Promise<SeenRequest> {
    return this.#seen(given, asked, "summary");
  }

  async #seen(
    given: ModelRequest,
    { provider: { name, model }, price }: Pick<Model, "provider" | "price">,
    purpose: BeforeRequest["purpose"],
  ): Promise<SeenRequest> {
    const provider = { name, model };
    let request = given;
    const stop = await this.#each(
      "beforeRequest",
      (hook, shared) => hook.beforeRequest?.({ ...shared, provider, purpose, request: frozenRequest(request) }),
      (effect) => {
        if (effect.request) request = withSettings(request, effect.request);
      },
    );
    if (stop) throw new StoppedByHook(stop);
    return { request, price: request.model === given.model ? price : this.#set.priceOf(request.model ?? model) };
  }

  afterResponse({ text, logged, trailer }: Response): Promise<StopSignal | undefined> {
    const { finish, usage } = trailer;
    // The step goes on with its own list.
    const calls = Object.freeze([...logged]);
    const about = { text, calls, finish, usage };
    return this.#each("afterResponse", (hook, shared) => hook.afterResponse?.({ ...shared, ...about }), undefined, {
      usage,
    });
  }

  async afterStep(
    outcome: StepOutcome,
    executions: readonly ToolExecution[],
    { text, trailer: { usage } }: Response,
    ending: RunEnding | undefined,
  ): Promise<Decision> {
    const asked: Asked = { texts: [], held: [] };
    const about = {
      outcome: outcome.type as AfterStep["outcome"],
      text,
      executions: Object.freeze([...executions]),
      usage,
    };
    const stop = await this.#each(
      "afterStep",
      (hook, shared) => hook.afterStep?.({ ...shared, ...about }),
      (effect) => take(effect, asked),
    );
    const before = stronger(ending, stop);
    if (!before) return plainDecision(undefined);
    const decided = this.#goingOn(before, asked);
    if (!decided.ending) return decided;
    const more: Asked = { texts: [], held: [] };
    const after = await this.#stopping(decided.ending, more);
    return this.#goingOn(after, more);
  }

  stopping(ending: RunEnding): Promise<RunEnding> {
    return this.#stopping(ending, { texts: [], held: [] });
  }

  async onError(error: RunError): Promise<void> {
    await this.#atTheEnd("onError", (hook, shared) => hook.onError?.({ ...shared, error }));
  }

  async afterRun(given: RunResult): Promise<void> {
    await Promise.all(this.#hearing);
    const result = Object.freeze({ ...given });
    await this.#atTheEnd("afterRun", (hook, shared) => hook.afterRun?.({ ...shared, result }));
    this.#unfollow();
  }

  async #stopping(ending: RunEnding, asked: Asked): Promise<RunEnding> {
    const { status, stop } = ending;
    if (status === "waiting") return ending;
    // What is stored and given is not the hook's to change.
    const shown = stop && Object.freeze({ ...stop, context: Object.freeze({ ...stop.context }) });
    const about = { status, ...(shown && { stop: shown }), text: this.#context.lastText };
    const other = await this.#each(
      "onStop",
      (hook, shared) => hook.onStop?.({ ...shared, ...about }),
      (effect) => take(effect, asked),
    );
    return stronger(ending, other) ?? ending;
  }

  /** Whether hooks that ask for another step get it. */
  #goingOn(ending: RunEnding, { texts, held }: Asked): Decision {
    const { settings, signal } = this.#context;
    const isRefused = isFinal(ending) || signal.aborted || this.budget?.stopBefore() !== undefined;
    if (texts.length === 0 || isRefused) return plainDecision(ending);
    const { continuations } = settings.limits;
    if (this.#continuations >= continuations) return plainDecision(endingOfContinuations(continuations));
    this.#continuations++;
    const { clock } = settings;
    return {
      ending: undefined,
      asked: texts.map((content) => this.#notice(content)),
      held: held.map((content) => contentRecord(content, clock())),
    };
  }

  #note({ notify, holds = [] }: BeforeRunEffect): void {
    if (notify !== undefined) this.#notices.push(notify);
    this.#held.push(...holds);
  }

  /** Stores what hooks tell the model. */
  async #tellModel(): Promise<void> {
    const { clock } = this.#context.settings;
    const [notices, held] = [this.#notices, this.#held];
    this.#notices = [];
    this.#held = [];
    const records = held.map((content) => contentRecord(content, clock()));
    await tellModel(this.#context, notices, records);
  }

  #notice(content: string): UserEvent {
    return {
      type: "user",
      content: content.toWellFormed(),
      origin: "notice",
      timestamp: this.#context.settings.clock(),
    };
  }

  /** Calls the last hooks of a run. After an abort, the run waits for them for a moment only. */
  async #atTheEnd<Effect extends RunEffect>(point: "onError" | "afterRun", call: Call<Effect>): Promise<void> {
    if (!this.has(point)) return;
    const { signal } = this.#context;
    const scope = createAbortScope();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abortSoon = () => {
      timer = setTimeout(() => scope.abort(signal.reason), lastGrace);
    };
    if (signal.aborted) abortSoon();
    else signal.addEventListener("abort", abortSoon, { once: true });
    try {
      await this.#each(point, call, undefined, { scope });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abortSoon);
    }
  }

  /** Calls the hooks of a point. Returns the strongest signal to stop. */
  async #each<Effect extends RunEffect>(
    point: LoopPoint,
    call: Call<Effect>,
    use?: (effect: Effect, hook: AgentHook) => void,
    { scope = this.#scope, ...place }: { scope?: AbortScope; step?: number; usage?: Usage | undefined } = {},
  ): Promise<StopSignal | undefined> {
    const stops: StopSignal[] = [];
    const { timeout } = this.#set;
    for (const hook of this.#set.at[point]) {
      if (scope.isAborted()) break;
      const { name } = hook;
      try {
        const called = callHook(name, point, () => call(hook, this.#shared(place)), { scope, timeout });
        const effect = isPromise(called) ? await called : called;
        if (!effect || (scope.isAborted() && isPromise(called))) continue;
        if (effect.patch) this.#patch(name, point, effect.patch);
        if (effect.stop) stops.push(this.#asked({ message: "", context: {}, source: name, ...effect.stop }));
        use?.(effect, hook);
      } catch (error) {
        this.#fail(point, error as HookError);
      }
    }
    return strongestStop(stops);
  }

  #shared({ step, usage }: { step?: number; usage?: Usage | undefined }): HookContext {
    const { conversation, user, signal, metadata, meter, parent } = this.#context;
    const state = readOnlyState({
      events: this.#events,
      metadata,
      step: step ?? meter.steps,
      usage: usage ? sumUsage(meter.total, usage) : meter.total,
    });
    return { state, conversation, user, signal, ...(parent && { root: parent.root }) };
  }

  #patch(hook: string, point: LoopPoint, patch: MetadataPatch): void {
    const { metadata } = this.#context;
    try {
      const changes = typeof patch === "function" ? patch(this.#shared({}).state.metadata) : patch;
      if (changes !== undefined && (!isObject(changes) || isPromise(changes))) {
        throw new TypeError("it returned no object of properties");
      }
      this.#context.metadata = { ...metadata, ...changes };
    } catch (error) {
      throw hookFailedError(hook, point, error, "patch");
    }
  }

  #asked(stop: StopSignal & { source: string }): StopSignal {
    const { reason, message, source } = stop;
    this.#context.timeline.tell(() => ({ type: "stop_requested", reason, message, source }));
    return stop;
  }

  /** @throws RunError `hook` if the hook guards */
  #fail(point: LoopPoint, error: HookError): void {
    const { hook, message } = error;
    this.#context.timeline.tell(() => ({ type: "hook_violation", hook, message }));
    if (loopPoints[point].isGuard) throw new RunError("hook", message, { cause: error });
  }
}

/** What hooks ask of the model where the run would end. */
interface Asked {
  readonly texts: string[];
  readonly held: Content[];
}

function take({ continue: text, holds = [] }: AfterStepEffect, { texts, held }: Asked): void {
  if (text === undefined) return;
  texts.push(text);
  held.push(...holds);
}

type HookError = ToolError<"hook_failed" | "hook_contract">;

type Call<Effect> = (hook: AgentHook, shared: HookContext) => Effect | undefined | Promise<Effect | undefined>;

/** Milliseconds that the hooks of `onError`, and those of `afterRun`, may take after the run was aborted. */
const lastGrace = 100;

/** The ending with the stronger reason; a complete answer has none. */
function stronger(ending: RunEnding | undefined, stop: StopSignal | undefined): RunEnding | undefined {
  if (!stop) return ending;
  const known = ending?.stop;
  return ending && known && strongestStop([known, stop]) === known ? ending : endingOfStop(stop);
}
