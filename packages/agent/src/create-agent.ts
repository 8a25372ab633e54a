import type { JsonObject } from "@cogency/protocol";
import { costOf, type Price, type Prices, type Provider, ProviderError, priceOf, zeroUsage } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createExecutor, createRegistry, type ExecutorOptions, type Tool } from "@cogency/tools";
import { openLog } from "./conversation-log.ts";
import type { Driver, RequestSettings } from "./driver.ts";
import { RunError } from "./errors.ts";
import { runLoop } from "./loop.ts";
import { createMeter } from "./meter.ts";
import { protocolDriver } from "./protocol-driver.ts";
import { createRun, type Run } from "./run.ts";
import type { RunContext } from "./run-context.ts";
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
  /** Unix time in seconds; the system's clock by default. */
  clock?: (() => number) | undefined;
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
 * @throws ToolDefinitionError for a tool name that is ill-formed or given twice, RangeError for a budget below 1 and a price below 0,
 * ProviderError `unsupported` for mode `"resume"` with a provider that keeps no session
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
    clock: options.clock ?? (() => Date.now() / 1000),
  };
  const active = new Set<string>();
  return {
    run: (prompt, runOptions = {}) => start(settings, active, prompt.toWellFormed(), runOptions),
    recover: (runOptions) => start(settings, active, undefined, runOptions),
  };
}

function start(settings: Settings, active: Set<string>, prompt: string | undefined, options: RunOptions): Run {
  const { conversation = crypto.randomUUID(), user, stream = "event", metadata = {} } = options;
  const leaving = new AbortController();
  const meter = createMeter(settings.clock, settings.price);
  const session = settings.connect && sessionLine(settings.connect);
  const context: RunContext = {
    settings,
    log: openLog(settings.store, { conversation, user }),
    meter,
    session,
    conversation,
    user,
    stream,
    signal: options.signal ? AbortSignal.any([options.signal, leaving.signal]) : leaving.signal,
    metadata,
    toolErrors: 0,
  };
  return createRun(
    conversation,
    alone(active, JSON.stringify([user, conversation]), closing(session, runLoop(context, prompt))),
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

/** Closes the session of a run when the run is over. */
async function* closing<T, R>(session: SessionLine | undefined, loop: AsyncGenerator<T, R>): AsyncGenerator<T, R> {
  try {
    return yield* loop;
  } finally {
    await session?.close();
  }
}

/** A conversation has one run at a time: a second one would take the calls of the first for abandoned ones. */
async function* alone<T, R>(active: Set<string>, key: string, loop: AsyncGenerator<T, R>): AsyncGenerator<T, R> {
  if (active.has(key)) {
    throw new RunError("busy", "Another run is at work on this conversation. Wait for its result, or cancel it.");
  }
  active.add(key);
  try {
    return yield* loop;
  } finally {
    active.delete(key);
  }
}

function atLeastOne(name: string, value: number): number {
  if ((Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 1) return value;
  throw new RangeError(`${name} is ${value}; give a whole number of at least 1.`);
}
