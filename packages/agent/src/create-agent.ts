import { costOf, type Price, type Provider, ProviderError, priceOf, zeroUsage } from "@cogency/provider";
import { leaseTtl, memoryStore } from "@cogency/storage";
import { createExecutor, createRegistry, processKeyRing } from "@cogency/tools";
import type { Agent, AgentOptions } from "./agent-options.ts";
import { checkAgentOptions, checkPrompt, checkRecoverOptions, checkRunOptions } from "./check-options.ts";
import { protocolDriver } from "./drivers/protocol-driver.ts";
import type { LeaseSettings } from "./log/run-lease.ts";
import { offeredTools } from "./offered-tools.ts";
import type { Settings } from "./settings.ts";
import { startRun } from "./start-run.ts";

/**
 * Makes an agent from a model, tools and a store. It holds no conversation: each step reads the log from the store.
 *
 * @throws TypeError for an unknown option or one of a wrong type; RangeError for a value out of its range, such as a budget
 * below 1; ToolDefinitionError for a tool name that is malformed or given twice; ProviderError `unsupported` for mode
 * `"resume"` with a provider that keeps no sessions
 */
export function createAgent(options: AgentOptions): Agent {
  checkAgentOptions(options);
  const { provider, execution, warn = console.warn } = options;
  const registry = createRegistry(options.tools ?? []);
  const keyRing = options.keyRing ?? processKeyRing();
  const settings: Settings = {
    provider,
    connect: connectOf(options),
    mayReplay: options.mode !== "resume",
    registry,
    // Before `offeredTools`, which reads the approval rules: this checks them.
    executor: createExecutor({ ...execution, registry, keyRing }),
    offered: offeredTools(registry, execution, warn),
    endsAtFailure: execution?.throwOnToolFailure ?? false,
    store: options.store ?? memoryStore(),
    driver: options.driver ?? protocolDriver(),
    system: [options.identity, options.instructions].filter(Boolean).join("\n\n").toWellFormed(),
    request: options.request ?? {},
    price: priceFor(options),
    maxSteps: atLeastOne("budget.steps", options.budget?.steps ?? 20),
    maxFailures: atLeastOne("budget.failures", options.budget?.failures ?? 3),
    maxRepeats: atLeastOne("budget.repeats", options.budget?.repeats ?? 3),
    maxCalls: atLeastOne("budget.calls", options.budget?.calls ?? 1000),
    keyRing,
    scope: options.scope?.toWellFormed(),
    lease: leaseOf(options),
    clock: options.clock ?? (() => Date.now() / 1000),
  };
  return {
    run(prompt, runOptions = {}) {
      checkPrompt(prompt);
      checkRunOptions(runOptions);
      return startRun(settings, prompt.toWellFormed(), runOptions);
    },
    recover(runOptions) {
      checkRecoverOptions(runOptions);
      return startRun(settings, undefined, runOptions);
    },
  };
}

function priceFor({ prices = {}, request, provider }: AgentOptions): Price | undefined {
  const price = priceOf(prices, request?.model ?? provider.model);
  // Throws now for an invalid price, not in the middle of a run.
  if (price) costOf(zeroUsage, price);
  return price;
}

function connectOf({ provider, mode = "auto" }: AgentOptions): Provider["connect"] | undefined {
  const connect = provider.connect?.bind(provider);
  if (mode === "resume" && !connect) {
    const message = `The provider ${provider.name} keeps no sessions: mode "resume" needs its \`connect\`. Use "replay".`;
    throw new ProviderError("unsupported", message);
  }
  return mode === "resume" || (mode === "auto" && provider.capabilities.session) ? connect : undefined;
}

function leaseOf({ lease = {} }: AgentOptions): LeaseSettings {
  const { ttl = 30_000, owner = `agent-${crypto.randomUUID()}`, isGone = () => false } = lease;
  return { ttl: leaseTtl(ttl), owner, isGone };
}

function atLeastOne(name: string, value: number): number {
  if ((Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 1) return value;
  throw new RangeError(`${name} is ${value}; give a whole number of at least 1.`);
}
