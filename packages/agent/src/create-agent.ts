import type { RunEvent, ToolCall } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { isVolatile, leaseTtl } from "@cogency/storage/adapter";
import { type CallOf, createExecutor, type Tool, type ToolSource } from "@cogency/tools";
import { processKeyRing } from "@cogency/tools/host";
import type { Agent, SourceCall } from "./agent.ts";
import type { AgentOptions, Budget, ExecutionOptions, RecoverOptions, RunOptions, RunPrompt } from "./agent-options.ts";
import { type Capability, withCapability } from "./capability.ts";
import { childOptions, limitsBelow } from "./child/child-options.ts";
import { type ForkOptions, fork } from "./fork.ts";
import { hookSet, toolHooks } from "./hooks/hook-set.ts";
import { send } from "./inbox/send.ts";
import { type GoOn, sweep } from "./inbox/sweep.ts";
import { limitsOf, usualLimits } from "./limits.ts";
import type { LeaseSettings } from "./log/run-lease.ts";
import { modelsOf } from "./model.ts";
import { OwnObjectRun } from "./object/object-run.ts";
import { withObject } from "./object/object-target.ts";
import {
  checkAgentOptions,
  checkBudget,
  checkedPrompt,
  checkForkOptions,
  checkMessage,
  checkRecoverOptions,
  checkRunOptions,
  checkSweepOptions,
} from "./options.ts";
import type { Run } from "./run.ts";
import type { ParentLink } from "./run-context.ts";
import type { ToolSearch } from "./search/tool-finder.ts";
import type { AttachmentBounds, RunLimits, Settings } from "./settings.ts";
import { startRun } from "./start-run.ts";
import { Listeners, type RunListener } from "./timeline/listeners.ts";
import { toolsetsOf } from "./toolset.ts";

/**
 * Makes an agent from a model, tools and a store. It holds no conversation: each step reads the log from the store.
 *
 * @throws TypeError for an unknown option or one of a wrong type; RangeError for a value out of its range, such as a budget
 * below 1; TypeError for a limit of the cost where the price of a model is unknown; ToolError for a tool name that is malformed or given twice; ProviderError `unsupported` for mode
 * `"resume"` with a provider that keeps no sessions
 */
export function createAgent<
  T extends Tool = Tool,
  S extends ToolSearch | undefined = undefined,
  From extends readonly ToolSource[] | undefined = undefined,
>(
  options: AgentOptions<T> & { toolSearch?: S; sources?: From },
): Agent<CallOf<T> | SearchCall<T, S> | SourceCall<From>>;
export function createAgent(options: AgentOptions): Agent {
  checkAgentOptions(options);
  const { store, keyRing, warn = console.warn } = options;
  if (store && !keyRing && !isVolatile(store)) warn(withoutKeyRing);
  const shared = {
    store: options.store ?? memoryStore(),
    keyRing: options.keyRing ?? processKeyRing(),
    lease: leaseOf(options),
    listeners: new Listeners(),
  };
  return agentOf(options, shared, []);
}

const withoutKeyRing =
  "createAgent has a store that lasts and no `keyRing`: another process, also the next one of this program, cannot verify what this one signs, so its conversations count there as begun elsewhere, and its approvals are asked again. A call that asks is refused where no `approve` is given, and cannot wait for a page. Give `keyRing: await keyRingFile(path)` of @cogency/tools/node, or createKeyRing([secret]).";

/** What an agent shares with those that `use` makes of it. */
type Shared = Pick<Settings, "store" | "keyRing" | "lease" | "listeners">;

interface Resolved {
  settings: Settings;
  /** Those of one run. */
  settingsOf(options: Pick<RunOptions, "approve" | "budget">): Settings;
}

function resolved(options: AgentOptions, shared: Shared): Resolved {
  const { execution } = options;
  const { keyRing } = shared;
  const models = modelsOf(options);
  const [model, ...fallback] = models;
  const mayLast = options.store !== undefined && options.keyRing !== undefined;
  const whenUnanswered = options.whenUnanswered ?? (mayLast ? "wait" : "deny");
  const attachments = attachmentBounds(options);
  const { maxBytes, kinds } = attachments;
  const toolsets = toolsetsOf(options, (registry) =>
    createExecutor({ ...executionOf(options), registry, keyRing, attachments: { maxBytes, kinds } }),
  );
  const limitsWith = (budget: Budget | undefined, others: RunLimits) => {
    if (budget !== undefined) checkBudget("budget", budget);
    return limitsOf(budget, others, models);
  };
  const settings: Settings = {
    ...model,
    fallback,
    mayReplay: options.mode !== "resume",
    ...toolsets.all,
    endsAtFailure: execution?.throwOnToolFailure ?? false,
    ...shared,
    system: [options.identity, options.instructions].filter(Boolean).join("\n\n").toWellFormed(),
    history: [options.history ?? []].flat(),
    recordsRequests: options.recordRequests ?? false,
    instructionsHold: options.instructionsHold ?? [],
    instructionsOfRun: [options.instructionsOfRun ?? []].flat(),
    limits: limitsOf(options.budget, usualLimits, models),
    limitsWith,
    attachments,
    whenUnanswered,
    scope: options.scope?.toWellFormed(),
    live: options.live ?? true,
    hooks: hookSet(options),
    clock: options.clock ?? (() => Date.now() / 1000),
    startChild(changes, text, { parent: link, ...runOptions }) {
      const child = resolved(childOptions(options, changes, toolsets.all.changing?.sources), {
        ...shared,
        listeners: new Listeners(),
      });
      const { limits, ...own } = child.settingsOf(runOptions);
      const parent = link as ParentLink;
      return startRun(
        { ...own, limits: limitsBelow(limits, parent.context) },
        { text },
        { ...runOptions, parent, wait: true, leaveCancelled: true },
      ) as Run<RunEvent>;
    },
  };
  const settingsOf: Resolved["settingsOf"] = ({ approve, budget }) => {
    const limits = limitsWith(budget, settings.limits);
    if (approve || whenUnanswered === "wait") return { ...settings, limits };
    // Not before such a run comes: of an agent whose runs all bring an `approve`, the warning would be wrong.
    return { ...settings, ...toolsets.alone(), limits };
  };
  return { settings, settingsOf };
}

/** @param capabilities the names of those that the agent has */
function agentOf(options: AgentOptions, shared: Shared, capabilities: readonly string[]): Agent {
  const { settings, settingsOf } = resolved(options, shared);
  const { attachments } = settings;
  const run = (prompt: RunPrompt, runOptions: RunOptions = {}) => {
    const content = checkedPrompt(prompt, attachments);
    checkRunOptions(runOptions);
    return startRun(settingsOf(runOptions), content, runOptions);
  };
  const recover = (runOptions: RecoverOptions) => {
    checkRecoverOptions(runOptions);
    return startRun(settingsOf(runOptions), undefined, runOptions);
  };
  const goOn: GoOn = (key, signal) => startRun(settings, undefined, { ...key, signal, leaveCancelled: true }).result;
  return {
    scope: settings.scope,
    // The overloads of `Agent` say by `events` what a run yields.
    run: run as Agent["run"],
    ask: (prompt, runOptions) => run(prompt, runOptions).result,
    object: (prompt, schema, runOptions = {}) => {
      const checked = checkedPrompt(prompt, attachments);
      checkRunOptions(runOptions, "object");
      const target = withObject(settingsOf(runOptions), schema);
      return new OwnObjectRun(startRun(target, checked, { ...runOptions, stream: "token" }) as Run);
    },
    send: async (to, message, sendOptions = {}) => {
      checkMessage(to, message, sendOptions);
      return send(settings, to, message, sendOptions);
    },
    sweep: async (sweepOptions = {}) => {
      checkSweepOptions(sweepOptions);
      return sweep(settings, goOn, sweepOptions);
    },
    fork: async (conversation: string, forkOptions: ForkOptions = {}) => {
      checkForkOptions(conversation, forkOptions);
      return fork(settings, conversation, forkOptions);
    },
    recover: recover as Agent["recover"],
    use: ((capability: Capability) =>
      agentOf(withCapability(options, capabilities, capability), shared, [
        ...capabilities,
        capability.name,
      ])) as Agent["use"],
    keepTrace: (traceOf) => settings.listeners.keepTrace(traceOf),
    on: (type: string, listener: RunListener<never>) => settings.listeners.add(type, listener as RunListener),
  };
}

/** The calls of the search, where it is known that there is one, and what the other tools are. */
type SearchCall<T extends Tool, S> = [S] extends [ToolSearch]
  ? string extends T["name"]
    ? never
    : ToolCall<"find_tools", { query: string }>
  : never;

/** The options of the executor, with the hooks around tools. */
function executionOf({ execution, hooks }: AgentOptions): ExecutionOptions {
  const around = toolHooks(hooks);
  return {
    ...execution,
    ...(around.length > 0 && { hooks: [...around, ...(execution?.hooks ?? [])] }),
    // No call may run before the hooks have seen the whole response.
    ...(hooks?.some(({ afterResponse }) => afterResponse) && { earlyStart: false }),
  };
}

function attachmentBounds({ attachments = {}, provider }: AgentOptions): AttachmentBounds {
  const { maxBytes = 20 * 1024 * 1024, maxRequestBytes = 50 * 1024 * 1024 } = attachments;
  return { maxBytes, maxRequestBytes, kinds: provider.capabilities?.attachments ?? [] };
}

function leaseOf({ lease = {}, store }: AgentOptions): LeaseSettings {
  const { ttl = 12_000, owner = store?.owner ?? `agent-${crypto.randomUUID()}`, isGone = () => false } = lease;
  return { ttl: leaseTtl(ttl), owner, isGone };
}
