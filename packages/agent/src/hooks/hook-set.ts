import { type Price, type Provider, priceOf } from "@cogency/provider";
import type { ToolHook } from "@cogency/tools";
import { defaultToolTimeout } from "@cogency/tools/host";
import type { AgentOptions } from "../agent-options.ts";
import type { Driver, RequestSettings } from "../drivers/driver.ts";
import { type Model, modelsOf } from "../model.ts";
import type { AgentHook } from "./agent-hook.ts";
import { type LoopPoint, loopPoints } from "./hook-points.ts";

/** The hooks of an agent, and what its runs need to obey them. */
export interface HookSet {
  /** The hooks of each point, in the order in which they run. */
  readonly at: Readonly<Record<LoopPoint, readonly AgentHook[]>>;
  /** Milliseconds that one hook may take. */
  readonly timeout: number;
  priceOf(model: string): Price | undefined;
  /**
   * The model of a step for which a hook has chosen the provider, the driver or both. It is asked without a session.
   *
   * @throws RangeError for an invalid price; what the agent's function that chooses a driver throws
   */
  modelOf(own: Model, chosen: ChosenModel): Model;
}

interface ChosenModel {
  provider: Provider | undefined;
  driver: Driver | undefined;
  request: RequestSettings;
}

/** Undefined for an agent without hooks of the loop, whose runs then cost nothing more. */
export function hookSet(options: AgentOptions): HookSet | undefined {
  const { hooks = [], execution, prices = {} } = options;
  const sorted = hooks.toSorted((one, other) => (other.priority ?? 0) - (one.priority ?? 0));
  const points = Object.keys(loopPoints) as LoopPoint[];
  const at = Object.fromEntries(points.map((point) => [point, sorted.filter((hook) => hook[point])])) as Record<
    LoopPoint,
    AgentHook[]
  >;
  if (Object.values(at).every((here) => here.length === 0)) return undefined;
  return {
    at,
    timeout: execution?.timeout ?? defaultToolTimeout,
    priceOf: (model) => priceOf(prices, model),
    modelOf(own, { provider = own.provider, driver = driverOf(options, own), request }) {
      const [model] = modelsOf({ ...options, provider, driver, request, mode: "replay", fallback: [] });
      return model;
    },
  };
}

/** A function chooses the driver of each provider. Any other driver stays, because it keeps what it has made of the tools. */
function driverOf({ driver }: AgentOptions, own: Model): AgentOptions["driver"] {
  return typeof driver === "function" ? driver : own.driver;
}

/** The hooks around tools, for the executor. It must not see the other points: it takes them for misspelt ones of its own. */
export function toolHooks(hooks: readonly AgentHook[] = []): ToolHook[] {
  return hooks.flatMap((hook) => {
    const { name, priority } = hook;
    if (!hook.beforeToolUse && !hook.afterToolUse) return [];
    const before = hook.beforeToolUse?.bind(hook);
    const after = hook.afterToolUse?.bind(hook);
    return [{ name, priority, ...(before && { beforeToolUse: before }), ...(after && { afterToolUse: after }) }];
  });
}
