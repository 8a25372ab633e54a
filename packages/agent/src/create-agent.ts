import type { JsonObject } from "@cogency/protocol";
import { costOf, type Price, type Prices, type Provider, ProviderError, priceOf, zeroUsage } from "@cogency/provider";
import { leaseTtl, memoryStore, type Store } from "@cogency/storage";
import { createExecutor, createRegistry, type ExecutorOptions, type Tool } from "@cogency/tools";
import { openLog } from "./conversation-log.ts";
import type { Driver, RequestSettings } from "./driver.ts";
import { runLoop } from "./loop.ts";
import { createMeter } from "./meter.ts";
import { protocolDriver } from "./protocol-driver.ts";
import { createRun, type Run } from "./run.ts";
import type { RunContext } from "./run-context.ts";
import { type LeaseSettings, type RunLease, runLease } from "./run-lease.ts";
import { type SessionLine, sessionLine } from "./session-line.ts";
import type { Settings } from "./settings.ts";

export interface AgentOptions {
  provider: Provider;
  /** None by default. */
  tools?: readonly Tool[] | undefined;
  /** In memory by default. */
  store?: Store | undefined;
  /** The text protocol in its JSON dialect by default. */
  driver?: Driver | undefined;
  /**
   * `"replay"`: every model request holds the whole conversation, assembled from the store. `"resume"`: a run keeps a
   * session with the provider, which is told what is new, and is opened anew from the store whenever it cannot go on.
   * `"auto"`, the default: `"resume"` if the provider keeps sessions.
   */
  mode?: "auto" | "replay" | "resume" | undefined;
  /** Who the model is, in the first lines of the system prompt. */
  identity?: string | undefined;
  /** What it should heed, after that. */
  instructions?: string | undefined;
  budget?: Budget | undefined;
  /** How calls are run: approval, hooks, concurrency, limits, observer. */
  execution?: Omit<ExecutorOptions, "registry"> | undefined;
  /** Settings of every model request. */
  request?: RequestSettings | undefined;
  /** What models cost; without the model's own price no `cost` is told. */
  prices?: Prices | undefined;
  /** How a run is the single writer of its conversation. */
  lease?: AgentLeaseOptions | undefined;
  /** Unix time in seconds; the system's clock by default. */
  clock?: (() => number) | undefined;
}

/**
 * A run takes a lease of its conversation before it reads it, renews it while it lives, and gives it back when it is
 * over, however it ends.
 */
export interface AgentLeaseOptions {
  /**
   * Milliseconds after which others may go on with the conversation when the process has died; 30,000 by default. It is
   * renewed whenever a third of it is over.
   */
  ttl?: number | undefined;
  /**
   * Who writes, for others to read in LeaseHeldError; a random name by default. A run's own name is this one, "#", and
   * random characters.
   */
  owner?: string | undefined;
  /**
   * Asked when another one holds the lease, with its name as in LeaseHeldError: whether it is known to be dead. If so,
   * its lease is taken over at once. By default nobody is known to be.
   */
  isGone?: ((owner: string) => boolean | Promise<boolean>) | undefined;
}

export interface Budget {
  /** Model requests that one run may take; 20 by default. */
  steps?: number | undefined;
  /** Times in a row that the model may write nothing usable before the run fails; 3 by default. */
  failures?: number | undefined;
  /** Times in a row that the same calls may give the same results before the run is stopped; 3 by default. */
  repeats?: number | undefined;
}

export interface RunOptions {
  /** Goes on with a conversation, or begins it under this name. A new one with a random name by default. */
  conversation?: string | undefined;
  /** Whose conversation it is. */
  user?: string | undefined;
  /**
   * `"token"`: pieces as they arrive. `"event"`, the default: whole units. `null`: one non-streaming model request a
   * step, events as in `"event"` (protocol.md §3).
   */
  stream?: "token" | "event" | null | undefined;
  /** Cancels the run. */
  signal?: AbortSignal | undefined;
  /** Handed to tools in their context. */
  metadata?: JsonObject | undefined;
}

export interface Agent {
  /** Say something to the agent; it works until it has answered. */
  run(prompt: string, options?: RunOptions): Run;
  /** Go on where a crash or a cancel left a conversation, without saying anything new. */
  recover(options: RunOptions & { conversation: string }): Run;
}

/**
 * Make an agent: a model, tools, and a store. It holds no conversation; everything it knows of one is read from the
 * store at each step.
 *
 * @throws ToolDefinitionError for a tool name that is ill-formed or given twice, RangeError for a budget below 1, a price
 * below 0 and a `ttl` that is not above 0, ProviderError `unsupported` for mode `"resume"` with a provider that keeps no session
 */
export function createAgent(options: AgentOptions): Agent {
  const registry = createRegistry(options.tools ?? []);
  const settings: Settings = {
    provider: options.provider,
    connect: connectOf(options),
    registry,
    executor: createExecutor({ ...options.execution, registry }),
    endsAtFailure: options.execution?.throwOnToolFailure ?? false,
    store: options.store ?? memoryStore(),
    driver: options.driver ?? protocolDriver(),
    system: [options.identity, options.instructions].filter(Boolean).join("\n\n").toWellFormed(),
    request: options.request ?? {},
    price: priceFor(options),
    maxSteps: atLeastOne("budget.steps", options.budget?.steps ?? 20),
    maxFailures: atLeastOne("budget.failures", options.budget?.failures ?? 3),
    maxRepeats: atLeastOne("budget.repeats", options.budget?.repeats ?? 3),
    lease: leaseOf(options),
    clock: options.clock ?? (() => Date.now() / 1000),
  };
  return {
    run: (prompt, runOptions = {}) => start(settings, prompt.toWellFormed(), runOptions),
    recover: (runOptions) => start(settings, undefined, runOptions),
  };
}

function start(settings: Settings, prompt: string | undefined, options: RunOptions): Run {
  const { conversation = crypto.randomUUID(), user, stream = "event", metadata = {} } = options;
  const leaving = new AbortController();
  const meter = createMeter(settings.clock, settings.price);
  const session = settings.connect && sessionLine(settings.connect);
  const key = { conversation, user };
  const signal = options.signal ? AbortSignal.any([options.signal, leaving.signal]) : leaving.signal;
  const lease = runLease(settings.store, key, settings.lease, signal);
  const context: RunContext = {
    settings,
    log: openLog(settings.store, key, lease),
    meter,
    session,
    conversation,
    user,
    stream,
    signal,
    metadata,
    toolErrors: 0,
  };
  return createRun(
    conversation,
    closing(session, leased(lease, runLoop(context, prompt))),
    () => leaving.abort(),
    () => ({ ...meter.tally, toolErrors: context.toolErrors }),
  );
}

function priceFor({ prices = {}, request, provider }: AgentOptions): Price | undefined {
  const price = priceOf(prices, request?.model ?? provider.model);
  // A price that is none is found now, not in the middle of a run.
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

/** Closes the session of a run when the run is over. */
async function* closing<T, R>(session: SessionLine | undefined, loop: AsyncGenerator<T, R>): AsyncGenerator<T, R> {
  try {
    return yield* loop;
  } finally {
    await session?.close();
  }
}

/** A conversation has one run at a time: a second one would take the calls of the first for abandoned ones. */
async function* leased<T, R>(lease: RunLease, loop: AsyncGenerator<T, R>): AsyncGenerator<T, R> {
  try {
    await lease.take();
    return yield* loop;
  } finally {
    await lease.release();
  }
}

function atLeastOne(name: string, value: number): number {
  if ((Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 1) return value;
  throw new RangeError(`${name} is ${value}; give a whole number of at least 1.`);
}
