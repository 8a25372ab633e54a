import { type AbortScope, bounded, isPromise, type Slots } from "@cogency/async";
import type { Json } from "@cogency/protocol";
import { nearestNames } from "@cogency/protocol/options";
import type { Allowed } from "../approval/allowed.ts";
import { contentBrought } from "../approval/self-description.ts";
import { timeoutError, toolChangedError, unknownToolError } from "../errors.ts";
import type { ToolExecution } from "../execution.ts";
import type { BatchContext } from "../executor.ts";
import type { HookAnswer } from "../hooks/tool-hook.ts";
import type { LoggedCall } from "../logged-call.ts";
import type { Observer } from "../observer.ts";
import type { Registry } from "../registry.ts";
import type { AttachmentLimits } from "../result/checked-attachments.ts";
import type { ResultLimits } from "../result/result-limits.ts";
import type { Content, Tool, ToolContext } from "../tool.ts";
import { type Asking, type AskingCall, standingQuestion, undeclaredAsk } from "./asking.ts";
import type { BatchState } from "./batch-state.ts";
import {
  blocked,
  bodyEnding,
  type CallEnding,
  deniedCall,
  executionOf,
  failed,
  neverBegun,
  now,
  skipped,
  unpacked,
  voided,
  waiting,
} from "./call-ending.ts";
import type { Claim } from "./call-order.ts";
import { type Checked, checkCall, ThrownByTool } from "./check-call.ts";
import type { HookRunner } from "./hook-runner.ts";
import type { JournalGuard } from "./journal-guard.ts";
import type { Judge } from "./judge.ts";
import type { LoggedRecords } from "./logged-records.ts";
import { isGenerator, runGenerator } from "./run-generator.ts";

/** What the calls of one batch share. */
interface PipelineParts {
  registry: Registry;
  context: BatchContext;
  logged: LoggedRecords;
  state: BatchState;
  coerce: "json" | "lexical";
  /** Milliseconds for tools that set no limit. */
  timeout: number;
  limits: ResultLimits;
  attachments: AttachmentLimits;
  scope: AbortScope;
  /** Undefined when the batch has no hooks. */
  hooks: HookRunner | undefined;
  judge: Judge;
  /** Lets the body of a call ask. */
  ask(call: AskingCall): Asking;
  slots: Slots;
  journal: JournalGuard;
  observe: Observer;
}

/** A call after its checks: it may run, or it has ended already. */
export type PreparedCall = { call: LoggedCall; requested: LoggedCall; index: number } & (
  | Runnable
  | { ending: CallEnding }
);

interface Runnable extends Omit<Checked, "call" | "keys"> {
  tool: Tool;
  claim: Claim;
  /** Why hooks want a person to be asked. */
  asks: readonly string[];
  /** What it ends with in place of its body. */
  answer: HookAnswer | undefined;
  /** Why it may run. */
  allowed?: Allowed | undefined;
}

type RunnableCall = PreparedCall & Runnable;

/** A call whose body has ended. */
type EndedCall = Pick<RunnableCall, "call" | "requested" | "tool" | "args" | "index" | "brings">;

/** Adds the content that the body brought, and runs the hooks after the call. */
export type Finalize = (
  ended: EndedCall,
  ending: CallEnding,
  startedAt: number,
) => ToolExecution | Promise<ToolExecution>;

/** What a call waits for. */
interface Waits {
  /** Earlier calls that touch the same resource: whether one of them waits for an answer. */
  earlier?: Promise<boolean> | undefined;
  /** For a call that begins early: true when the model has closed its block, false when the batch is discarded. */
  released?: Promise<boolean> | undefined;
}

/**
 * The stages of each call. `prepare` checks it. `perform` takes a prepared call to its end: `admit` gets approval and waits,
 * `execute` runs the body, `finalize` makes the execution of it. A call that ends early skips the stages in between.
 *
 * INVARIANT: neither `prepare` nor `perform` rejects. If one did, the other calls of the batch would lose their results.
 */
export function createPipeline(parts: PipelineParts) {
  const { registry, context, state, scope, hooks, judge, slots, journal, observe } = parts;

  /** Runs the hooks, finds the tool, checks the arguments. */
  async function prepare(requested: LoggedCall, index: number): Promise<PreparedCall> {
    const given = endingIfGivenUp(requested.name);
    if (given) return { call: requested, requested, index, ending: given };
    const seen = hooks ? await hooks.before(requested, index) : { call: requested };
    const { call, ending, asks = [], answer } = seen;
    const prepared = { call, requested, index };
    if (ending) return { ...prepared, ending };
    const { name } = call;
    try {
      const block = registry.has(name) ? context.refuse?.(name) : undefined;
      if (block) return { ...prepared, ending: blocked(name, block.by, block.reason) };
      const tool = toolNamed(name);
      const checking = checkCall(tool, call, parts);
      const { call: read, keys, ...checked } = isPromise(checking) ? await inTime(tool, checking) : checking;
      const claim = { keys, shared: tool.annotations.readOnlyHint === true };
      return { call: read, requested, index, tool, ...checked, claim, asks, answer };
    } catch (error) {
      if (scope.isAborted()) return { ...prepared, ending: neverBegun(name) };
      if (!(error instanceof ThrownByTool)) return { ...prepared, ending: failed(name, error) };
      return { ...prepared, ending: { ...failed(name, error.thrown), brings: error.brings } };
    }
  }

  /** @throws ToolError `unknown_tool`, which names the tools that may run now; `tool_gone` */
  function toolNamed(name: string): Tool {
    if (registry.has(name)) return registry.get(name);
    if (context.changes?.had(name)) throw toolChangedError(name, "gone");
    const available = registry.names().filter((one) => !context.refuse?.(one));
    throw unknownToolError(name, nearestNames(name, available), available);
  }

  async function inTime(tool: Tool, checking: Promise<Checked>): Promise<Checked> {
    const timeout = limitOf(tool);
    const checked = await bounded(() => checking, { scope, timeout, grace: 0 });
    if (checked.end === "fulfilled") return checked.value;
    if (checked.end === "rejected") throw checked.error;
    throw timeoutError(tool.name, timeout, " while its arguments were being checked");
  }

  /** Brings the call to its end, and reports that. */
  async function perform(prepared: PreparedCall, waits: Waits = {}): Promise<ToolExecution> {
    const execution = "ending" in prepared ? executionOf(prepared, prepared.ending) : await admit(prepared, waits);
    if (execution.stop) state.askToStop(prepared.index, execution.stop);
    observe({ type: "completed", execution });
    return execution;
  }

  /** Gets approval, waits for earlier calls and for a slot, then executes the call. */
  async function admit(runnable: RunnableCall, { earlier, released }: Waits): Promise<ToolExecution> {
    const { call } = runnable;
    const judging = judge(runnable, released);
    const judgement = isPromise(judging) ? await judging : judging;
    if (judgement.verdict === "denied") {
      const ending = deniedCall(call.name, judgement.reason, judgement.cause);
      return executionOf(runnable, { ...ending, ...quotedContent(runnable, judgement.reason) });
    }
    if (judgement.verdict === "waiting") return executionOf(runnable, waiting(call.name, judgement.question));
    if (earlier && (await earlier)) return executionOf(runnable, waiting(call.name));
    const standing =
      runnable.tool.asks && !runnable.answer ? standingQuestion(context, parts.logged, call, runnable.tool) : undefined;
    if (standing) {
      observe({ type: "question_asked", call, question: standing });
      return executionOf(runnable, waiting(call.name, standing));
    }
    const slot = slots.take();
    const giveBack = isPromise(slot) ? await slot : slot;
    const allowed = judgement.verdict === "allowed" ? judgement.allowed : undefined;
    const admitted = { ...runnable, allowed };
    if (released) return executeEarly(admitted, released, giveBack);
    const execution = await executeJournaled(admitted);
    giveBack();
    return execution;
  }

  /** Executes a call between its journal entries: each `started` is followed by a `finished`. */
  async function executeJournaled(runnable: RunnableCall): Promise<ToolExecution> {
    const { call, tool } = runnable;
    const given = endingIfGivenUp(call.name) ?? endingIfChanged(tool);
    if (given) return executionOf(runnable, given);
    const beginning = writeStarted(runnable);
    if (!(isPromise(beginning) ? await beginning : beginning)) return executionOf(runnable, neverBegun(call.name));
    // The run may have been cancelled while the journal wrote. A call that ended the run meanwhile does not skip this one:
    // the log says already that it began.
    const late = scope.isAborted() ? neverBegun(call.name) : endingIfChanged(tool);
    const execution = late ? executionOf(runnable, late) : await execute(runnable);
    // A call that is left in its question has not finished, nor one that waits for work that it has begun.
    if (execution.question || execution.outcome === "waiting") return execution;
    const writing = journal.write((entries) => entries.finished(execution));
    if (isPromise(writing)) await writing;
    return execution;
  }

  /** Executes a call before its block has closed. Its journal entries are written afterwards, when the call is in the log. */
  async function executeEarly(runnable: RunnableCall, released: Promise<boolean>, giveBack: () => void) {
    const given = endingIfGivenUp(runnable.call.name) ?? endingIfChanged(runnable.tool);
    const execution = given ? executionOf(runnable, given) : await execute(runnable);
    giveBack();
    if (!(await released)) return voided(execution);
    if (!given && (await writeStarted(runnable))) await journal.write((entries) => entries.finished(execution));
    return execution;
  }

  function writeStarted({ call, requested, brings, allowed }: RunnableCall): boolean | Promise<boolean> {
    return journal.write((entries) =>
      entries.started(call, call === requested ? undefined : requested, brings, allowed),
    );
  }

  /** Runs the body within its limits. */
  async function execute(runnable: RunnableCall): Promise<ToolExecution> {
    const { call, tool, args } = runnable;
    const timeout = limitOf(tool);
    const controller = new AbortController();
    const asking =
      tool.asks && !runnable.answer
        ? parts.ask({ call, tool, timeout, goOn: () => writeStarted(runnable) })
        : undefined;
    let isRunning = true;
    const surroundings: ToolContext = {
      call,
      signal: controller.signal,
      state: state.current(),
      conversation: context.conversation,
      user: context.user,
      progress(update: Json) {
        if (isRunning) observe({ type: "progress", call, update });
      },
      ask: asking?.ask ?? undeclaredAsk(call.name),
      host: context.host,
    };
    const startedAt = now();
    observe({ type: "started", call });
    const bounds = {
      scope: asking?.scope ?? scope,
      timeout: asking ? Number.POSITIVE_INFINITY : timeout,
      grace: tool.grace ?? usualGrace,
      stop: (end: "timeout" | "aborted", reason: unknown) =>
        controller.abort(end === "timeout" ? timeoutError(call.name, timeout) : reason),
    };
    const { answer } = runnable;
    const body = answer ? () => answered(answer) : () => tool.execute(args, surroundings);
    let settlement = await bounded(body, bounds);
    if (settlement.end === "fulfilled" && isGenerator(settlement.value)) {
      const steps = settlement.value;
      const left = Math.max(1, bounds.timeout - (now() - startedAt) * 1000);
      const walk = () => runGenerator(steps, controller.signal, surroundings.progress);
      settlement = await bounded(walk, { ...bounds, timeout: left });
    }
    isRunning = false;
    const ending = asking?.endingOf(settlement) ?? bodyEnding(call.name, timeout, settlement);
    asking?.close();
    const isOver = ending.outcome !== "waiting" && !ending.question;
    return isOver ? finalize(runnable, ending, startedAt) : executionOf(runnable, ending, startedAt);
  }

  function finalize(runnable: EndedCall, ended: CallEnding, startedAt: number): ToolExecution | Promise<ToolExecution> {
    const { tool, index } = runnable;
    const own = unpacked(tool.name, ended, parts.attachments);
    const ending = { ...own, resultLimit: parts.limits(tool), brings: broughtBy(runnable, ended) };
    // At once, before hooks and journal: otherwise the calls after it would begin meanwhile.
    if (ending.stop) state.giveUp("an earlier call ended the run");
    const execution = executionOf(runnable, ending, startedAt);
    return hooks ? hooks.after(execution, tool, index) : execution;
  }

  /** The private content of a denial whose reason quotes a caution of the tool, which may have read private files. */
  function quotedContent({ cautions, brings }: RunnableCall, reason: string): Pick<CallEnding, "brings"> {
    const confidential = brings.filter(({ holds }) => holds === "private");
    const isQuoted = confidential.length > 0 && cautions.some((caution) => reason.includes(caution));
    return isQuoted ? { brings: confidential } : {};
  }

  /** The content that a body brought. A body that did not stop may still bring everything that was expected of it. */
  function broughtBy({ tool, args, brings }: EndedCall, { settled }: CallEnding): readonly Content[] {
    const brought = contentBrought(tool, args);
    if (settled) return brought;
    const isNew = (one: Content) => !brings.some(({ holds, source }) => one.holds === holds && one.source === source);
    return [...brings, ...brought.filter(isNew)];
  }

  /** The ending of a call that must not begin any more; undefined if it may. */
  function endingIfGivenUp(tool: string): CallEnding | undefined {
    if (scope.isAborted()) return neverBegun(tool);
    const because = state.gaveUp();
    return because === undefined ? undefined : skipped(tool, because);
  }

  /** The ending of a call whose tool is not what the model was offered; undefined if it is. */
  function endingIfChanged(tool: Tool): CallEnding | undefined {
    const what = context.changes?.since(tool);
    return what && failed(tool.name, toolChangedError(tool.name, what));
  }

  function limitOf(tool: Tool): number {
    return tool.timeout ?? parts.timeout;
  }

  /** The execution of a call that must not begin before an earlier one, which waits. */
  async function holdBack(call: LoggedCall): Promise<ToolExecution> {
    const execution = executionOf({ call, requested: call }, waiting(call.name));
    observe({ type: "completed", execution });
    return execution;
  }

  return { prepare, perform, holdBack, finalize };
}

/** @throws the error that a hook gave in place of the body */
function answered(answer: HookAnswer): unknown {
  if ("error" in answer && answer.error) throw answer.error;
  return (answer as { value: unknown }).value;
}

/** Milliseconds that a body may take to end after its signal has aborted. */
const usualGrace = 50;
