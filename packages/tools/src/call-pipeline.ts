import type { Json, ToolCall } from "@cogency/protocol";
import type { AbortScope } from "./abort-scope.ts";
import type { Judge } from "./approval.ts";
import { bounded } from "./bounded.ts";
import { bodyEnding, denied, type Ending, executionOf, failed, neverBegun, now } from "./call-ending.ts";
import type { Claim } from "./call-order.ts";
import { checkCall } from "./check-call.ts";
import { ToolTimeoutError } from "./errors.ts";
import type { ToolExecution } from "./execution.ts";
import type { BatchContext } from "./executor.ts";
import type { JournalGuard } from "./journal-guard.ts";
import type { Observer } from "./observer.ts";
import type { Registry } from "./registry.ts";
import type { Slots } from "./slots.ts";
import type { Tool, ToolContext, ToolState } from "./tool.ts";

/** What the calls of one batch share. */
interface PipelineParts {
  registry: Registry;
  context: BatchContext;
  coerce: "json" | "lexical";
  /** Milliseconds for tools that set no limit. */
  timeout: number;
  scope: AbortScope;
  judge: Judge;
  slots: Slots;
  journal: JournalGuard;
  observe: Observer;
}

/** A call that may run, or one that has come to its end already. */
export type PreparedCall = RunnableCall | { call: LoggedCall; ending: Ending };

interface RunnableCall {
  call: LoggedCall;
  tool: Tool;
  /** Coerced, checked, and the tool's own copy. */
  args: unknown;
  claim: Claim;
}

export type LoggedCall = ToolCall & { id: string };

/** The way of one call through an executor, in two stretches. Neither rejects. */
export function createPipeline({ registry, context, scope, judge, slots, journal, observe, ...parts }: PipelineParts) {
  const state = context.state ?? untouchedState();

  /** Resolve, validate. */
  async function prepare(call: LoggedCall): Promise<PreparedCall> {
    const { name } = call;
    if (scope.aborted) return { call, ending: neverBegun(name) };
    try {
      const tool = registry.get(name);
      const timeout = limitOf(tool);
      const checked = await bounded(() => checkCall(tool, call, parts.coerce), { scope, timeout, grace: 0 });
      if (checked.end === "fulfilled") {
        const { args, keys } = checked.value;
        return { call, tool, args, claim: { keys, shared: tool.annotations.readOnlyHint === true } };
      }
      if (checked.end === "aborted") return { call, ending: neverBegun(name) };
      if (checked.end === "rejected") throw checked.error;
      throw new ToolTimeoutError(name, timeout, " while its arguments were being checked");
    } catch (error) {
      return { call, ending: failed(name, error) };
    }
  }

  /** Approval, turn, slot, body. */
  async function perform(prepared: PreparedCall, turn?: Promise<unknown>): Promise<ToolExecution> {
    const execution =
      "ending" in prepared ? executionOf(prepared.call, prepared.ending) : await proceed(prepared, turn);
    observe({ type: "completed", execution });
    return execution;
  }

  async function proceed(runnable: RunnableCall, turn: Promise<unknown> | undefined): Promise<ToolExecution> {
    const { call, tool } = runnable;
    const judgement = await judge(call, tool);
    if (judgement.verdict === "denied") return executionOf(call, denied(call.name, judgement.reason, judgement.cause));
    await turn;
    const giveBack = await slots.take();
    const execution = await journaled(runnable);
    giveBack();
    return execution;
  }

  /** Whatever the journal saw begin it also sees end. */
  async function journaled(runnable: RunnableCall): Promise<ToolExecution> {
    const { call } = runnable;
    if (scope.aborted || !(await journal.write((entries) => entries.started(call)))) {
      return executionOf(call, neverBegun(call.name));
    }
    // The run may have been cancelled while the journal wrote.
    const execution = scope.aborted ? executionOf(call, neverBegun(call.name)) : await runBody(runnable);
    await journal.write((entries) => entries.finished(execution));
    return execution;
  }

  async function runBody({ call, tool, args }: RunnableCall): Promise<ToolExecution> {
    const timeout = limitOf(tool);
    const controller = new AbortController();
    let isRunning = true;
    const surroundings: ToolContext = {
      call,
      signal: controller.signal,
      state,
      conversation: context.conversation,
      user: context.user,
      progress(update: Json) {
        if (isRunning) observe({ type: "progress", call, update });
      },
    };
    const startedAt = now();
    observe({ type: "started", call });
    const settlement = await bounded(() => tool.execute(args, surroundings), {
      scope,
      timeout,
      grace,
      stop: (end, reason) => controller.abort(end === "timeout" ? new ToolTimeoutError(call.name, timeout) : reason),
    });
    isRunning = false;
    return executionOf(call, bodyEnding(call.name, timeout, settlement), startedAt);
  }

  function limitOf(tool: Tool): number {
    return tool.timeout ?? parts.timeout;
  }

  return { prepare, perform };
}

/** Milliseconds that a body may take to end after it was told to stop, before it is left to itself. */
const grace = 50;

/** Made anew for every batch: what a tool does to it in spite of its type stays there. */
function untouchedState(): ToolState {
  return {
    events: [],
    metadata: {},
    step: 0,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  };
}
