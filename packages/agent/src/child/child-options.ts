import type { AgentOptions } from "../agent-options.ts";
import type { AgentHook } from "../hooks/agent-hook.ts";
import type { RunContext } from "../run-context.ts";
import type { RunLimits, StartChild } from "../settings.ts";
import type { SourceTools } from "../sources/source-tools.ts";

type Changes = Parameters<StartChild>[0];

/**
 * The options of an agent that a call of another one starts: those of the other one, without what belongs to its own work. Its
 * conversation, its instructions and its tools are of its own; the rules for what runs are the same.
 *
 * @param from where tools of the other one come from that may change; the agent has those that `tools` names, as they are then
 */
export function childOptions(
  options: AgentOptions,
  { tools: names, provider, driver, ...changes }: Changes,
  from?: SourceTools,
): AgentOptions {
  const {
    tools: all = [],
    request = {},
    hooks = [],
    identity: _,
    instructionsOfRun: _____,
    toolSearch,
    budget = {},
    fallback,
    ...others
  } = options;
  const wanted = new Set(names);
  const tools = all.filter(({ name }) => wanted.has(name));
  // As for a provider of `fallback`: they name a model of the agent's own provider.
  const { model: __, options: ___, ...anyModel } = request;
  const { conversation: ____, ...limits } = budget;
  return {
    ...others,
    ...changes,
    budget: { ...limits, ...shared, ...changes.budget },
    tools,
    ...(from && { sources: [from.narrowed(wanted)] }),
    // What it keeps in view may be gone.
    ...(tools.length === all.length && { toolSearch }),
    hooks: hooks.map(guardOf),
    provider: provider ?? options.provider,
    request: provider ? anyModel : request,
    ...(fallback && !provider && { fallback }),
    // Another provider may keep no sessions.
    ...(provider && options.mode === "resume" && { mode: "auto" as const }),
    driver: driver ?? options.driver,
    // Said once, of the agent itself.
    warn: () => {},
  };
}

/** Limited by what the run above has left (`Ledger`). */
const shared = {
  tokens: Number.POSITIVE_INFINITY,
  cost: Number.POSITIVE_INFINITY,
  toolCalls: Number.POSITIVE_INFINITY,
};

/**
 * What of a hook holds for the agents below: that it judges requests, responses and calls. What it says at the beginning and the end of
 * a run, and which model and tools it chooses for a step, is for the run of the agent itself.
 */
function guardOf(hook: AgentHook): AgentHook {
  const { name, priority, beforeToolUse, afterToolUse, beforeRequest, afterResponse } = hook;
  return {
    name,
    priority,
    ...(beforeToolUse && { beforeToolUse: beforeToolUse.bind(hook) }),
    ...(afterToolUse && { afterToolUse: afterToolUse.bind(hook) }),
    ...(beforeRequest && { beforeRequest: beforeRequest.bind(hook) }),
    ...(afterResponse && { afterResponse: afterResponse.bind(hook) }),
  };
}

/** Of steps and time no more than the run above has left; tokens, cost and calls are shared with it (`Ledger`). */
export function limitsBelow(limits: RunLimits, { settings, meter }: RunContext): RunLimits {
  const { steps, seconds } = settings.limits;
  return {
    ...limits,
    steps: Math.min(limits.steps, Math.max(1, steps - meter.steps)),
    seconds: Math.min(limits.seconds, seconds),
  };
}
