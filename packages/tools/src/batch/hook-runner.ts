import { type AbortScope, bounded } from "@cogency/async";
import { hookContractError, hookFailedError, type ToolError } from "../errors.ts";
import type { ToolExecution } from "../execution.ts";
import type { BatchContext } from "../executor.ts";
import { frozenCopy } from "../frozen-copy.ts";
import { contractBreach } from "../hooks/hook-contract.ts";
import type { AfterToolUseEffect, BeforeToolUseEffect, HookAnswer, HookTrigger, ToolHook } from "../hooks/tool-hook.ts";
import type { LoggedCall } from "../logged-call.ts";
import { messageOf } from "../message-of.ts";
import type { Observer } from "../observer.ts";
import type { Registry } from "../registry.ts";
import type { AttachmentLimits } from "../result/checked-attachments.ts";
import { argumentsIssue } from "../schema/hostile-arguments.ts";
import type { Tool } from "../tool.ts";
import type { BatchState } from "./batch-state.ts";
import { blocked, type CallEnding, failed, neverBegun, unpacked } from "./call-ending.ts";

/** The hooks of one batch, and what they share. */
interface HookSettings {
  hooks: readonly ToolHook[];
  registry: Registry;
  context: BatchContext;
  state: BatchState;
  scope: AbortScope;
  /** Milliseconds that one hook may take. */
  timeout: number;
  attachments: AttachmentLimits;
  observe: Observer;
  /** Ends the batch. */
  fail(error: ToolError<"hook_contract">): void;
}

/** A call as hooks let it go on, or how it ends. */
interface SeenCall {
  call: LoggedCall;
  ending?: CallEnding;
  /** Why hooks want a person to be asked. */
  asks?: readonly string[];
  /** What it ends with in place of its body. */
  answer?: HookAnswer | undefined;
}

/** Runs the hooks around one call. Neither method rejects. */
export interface HookRunner {
  before(call: LoggedCall, index: number): Promise<SeenCall>;
  after(execution: ToolExecution, tool: Tool, index: number): Promise<ToolExecution>;
}

export function createHookRunner({ hooks, registry, context, state, scope, ...parts }: HookSettings): HookRunner {
  const { timeout, attachments, observe, fail } = parts;
  const { conversation, user, root } = context;
  const of = { conversation, user, ...(root !== undefined && { root }) };

  /** @throws ToolError `hook_failed` */
  async function effectOf<T extends BeforeToolUseEffect | AfterToolUseEffect>(
    hook: ToolHook,
    trigger: HookTrigger,
    index: number,
    run: (signal: AbortSignal) => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined> {
    const controller = new AbortController();
    const stop = (_: unknown, reason: unknown) => controller.abort(reason);
    const settlement = await bounded(() => run(controller.signal), { scope, timeout, grace: 0, stop });
    const failure = (error: unknown) => failureOf(hook, trigger, error);
    if (settlement.end === "rejected") throw failure(settlement.error);
    if (settlement.end !== "fulfilled") {
      throw failure(settlement.end === "timeout" ? `it took longer than ${timeout} ms` : "the run was cancelled");
    }
    const breach = contractBreach(trigger, settlement.value);
    if (breach !== undefined) {
      const error = hookContractError(hook.name, trigger, breach);
      observe({ type: "hook_breach", error });
      fail(error);
    }
    const { value: effect } = settlement;
    if (effect?.patch) state.patch(index, effect.patch, (error) => failureOf(hook, trigger, error, "patch"));
    if (effect?.stop) state.askToStop(index, effect.stop);
    return effect;
  }

  function failureOf(
    hook: ToolHook,
    trigger: HookTrigger,
    error: unknown,
    failed: "hook" | "patch" = "hook",
  ): ToolError<"hook_failed"> {
    const failure = hookFailedError(hook.name, trigger, error, failed);
    observe({ type: "hook_failed", error: failure });
    return failure;
  }

  function rewritten(hook: ToolHook, call: LoggedCall, change: Partial<LoggedCall>): LoggedCall {
    const { name = call.name, args = call.args } = change;
    if (typeof name !== "string") throw failureOf(hook, "beforeToolUse", "it gave a name that is not a string");
    // The model's own arguments are checked later, also for another tool.
    const issue = args === call.args ? undefined : argumentsIssue(args);
    if (issue) throw failureOf(hook, "beforeToolUse", `it gave impossible arguments: ${issue.message}`);
    return Object.freeze({ name, args: args === call.args ? args : frozenCopy(args), id: call.id });
  }

  return {
    async before(original, index) {
      let call = original;
      const asks: string[] = [];
      let answer: HookAnswer | undefined;
      for (const hook of hooks) {
        if (!hook.beforeToolUse || scope.isAborted()) continue;
        const { name } = call;
        const tool = registry.has(name) ? registry.get(name) : undefined;
        try {
          const effect = await effectOf<BeforeToolUseEffect>(hook, "beforeToolUse", index, (signal) =>
            hook.beforeToolUse?.({ call, tool, state: state.current(), ...of, signal }),
          );
          if (effect?.block !== undefined) return { call, ending: blocked(name, hook.name, effect.block) };
          if (effect?.ask !== undefined) asks.push(effect.ask.trim());
          if (effect?.answer) answer = effect.answer;
          if (effect?.call) call = rewritten(hook, call, effect.call);
        } catch (error) {
          if (scope.isAborted()) return { call, ending: neverBegun(name) };
          return { call, ending: blocked(name, hook.name, messageOf(error) ?? "the hook failed", error) };
        }
      }
      return { call, asks, answer };
    },

    async after(original, tool, index) {
      let execution = original;
      for (const hook of hooks) {
        if (!hook.afterToolUse || execution.outcome === "cancelled") continue;
        // Frozen: a hook must return its changes, so that they can be checked.
        Object.freeze(execution);
        try {
          const effect = await effectOf<AfterToolUseEffect>(hook, "afterToolUse", index, (signal) =>
            hook.afterToolUse?.({ execution, tool, state: state.current(), ...of, signal }),
          );
          if (effect?.replace) execution = replaced(execution, effect.replace, attachments);
        } catch (error) {
          // The hook may have been about to remove the result, so the result is withheld.
          return replaced(execution, { error: error as Error }, attachments);
        }
      }
      return execution;
    },
  };
}

function replaced(execution: ToolExecution, replacement: HookAnswer, limits: AttachmentLimits): ToolExecution {
  const { value: _, attachments: __, error: ___, ...rest } = execution;
  const { name } = execution.call;
  if ("error" in replacement) return { ...rest, ...failed(name, replacement.error), settled: rest.settled };
  const { settled } = rest;
  return { ...rest, ...unpacked(name, { outcome: "success", value: replacement.value, settled }, limits) };
}
