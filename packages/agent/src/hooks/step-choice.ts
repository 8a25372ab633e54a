import type { ToolSpec } from "@cogency/protocol";
import { nearestNames } from "@cogency/protocol/options";
import type { Registry } from "@cogency/tools";
import { hookFailedError } from "@cogency/tools/host";
import { RequestRecords } from "../loop/request-records.ts";
import type { Model } from "../model.ts";
import type { RunContext } from "../run-context.ts";
import type { BeforeStepEffect, StepRequest } from "./agent-hook.ts";
import type { HookSet } from "./hook-set.ts";

/** Why a call of a tool is blocked, and the hook that says so. */
export interface Refusal {
  readonly by: string;
  readonly reason: string;
}

/** What hooks have chosen for one step: the model, the settings of its requests, and the tools that may run. */
export class StepChoice {
  #model: Pick<BeforeStepEffect, "provider" | "driver"> = {};
  #request: StepRequest = {};
  /** The tools that each hook allows. */
  readonly #allowed: { by: string; names: ReadonlySet<string> }[] = [];

  /**
   * @param registry whose names are the only ones that the hook may give; undefined where any may be given
   * @throws ToolError `hook_failed` if no tool has one of the names
   */
  take(hook: string, { provider, driver, request, tools }: BeforeStepEffect, registry: Registry | undefined): void {
    if (tools && registry) checkNames(hook, tools, registry);
    this.#model = { ...this.#model, ...(provider && { provider }), ...(driver && { driver }) };
    this.#request = withSettings(this.#request, request);
    if (tools) this.#allowed.push({ by: hook, names: new Set(tools) });
  }

  /** Why a tool may not run; undefined for a step in which all may. */
  get refuse(): ((name: string) => Refusal | undefined) | undefined {
    if (this.#allowed.length === 0) return undefined;
    return (name) => {
      const refusing = this.#allowed.find(({ names }) => !names.has(name));
      return refusing && { by: refusing.by, reason: "The tool is not available in this step." };
    };
  }

  /**
   * Lets the next step have it.
   *
   * @param lists the lists of tools that steps of this run were offered, which drivers know by identity
   * @returns takes it back, also where the step has gone on with another provider
   */
  apply(context: RunContext, set: HookSet, lists: Map<string, readonly ToolSpec[]>): () => Promise<void> {
    const { settings, session, requests, meter } = context;
    const fallback = [...context.fallback];
    const other = this.#otherModel(context, set);
    const offered = this.narrowed(settings.offered, lists);
    const request = withSettings(other?.request ?? settings.request, this.#request);
    const { model = (other ?? settings).provider.model } = request;
    const kinds = other ? (other.provider.capabilities.attachments ?? []) : settings.attachments.kinds;
    const attachments = { ...settings.attachments, kinds };
    const price = other || this.#request.model !== undefined ? set.priceOf(model) : settings.price;
    const chosen = { ...settings, ...other, attachments, offered, request, price };
    context.settings = chosen;
    if (other) context.session = undefined;
    if (other && requests) context.requests = new RequestRecords(chosen);
    meter.price = price;
    return async () => {
      if (other) {
        // Only a provider that took the place of the chosen one has opened a session.
        await context.session?.close();
        context.settings = settings;
        context.session = session;
        context.requests = requests && new RequestRecords(settings);
        context.fallback.splice(0, context.fallback.length, ...fallback);
      } else
        context.settings = context.settings === chosen ? settings : { ...context.settings, offered: settings.offered };
    };
  }

  #otherModel({ settings }: RunContext, set: HookSet): Model | undefined {
    const { provider, driver } = this.#model;
    if (!provider && !driver) return undefined;
    // As for a provider of `fallback`; a format is chosen for the provider that can hold to it.
    const { model: _, options: __, format: ___, ...others } = settings.request;
    return set.modelOf(settings, { provider, driver, request: provider ? others : settings.request });
  }

  /** Those of the tools that may run. */
  narrowed(offered: readonly ToolSpec[], lists: Map<string, readonly ToolSpec[]>): readonly ToolSpec[] {
    const { refuse } = this;
    if (!refuse) return offered;
    const tools = offered.filter(({ name }) => !refuse(name));
    const key = tools.map(({ name }) => name).join(" ");
    const known = lists.get(key) ?? tools;
    lists.set(key, known);
    return known;
  }
}

/** The settings with those of a hook. One that is undefined stays as it was. */
export function withSettings<Settings extends object>(settings: Settings, chosen: StepRequest = {}): Settings {
  return { ...settings, ...Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)) };
}

function checkNames(hook: string, tools: readonly string[], registry: Registry): void {
  const unknown = tools.find((name) => !registry.has(name));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, registry.names());
  const guess = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
  throw hookFailedError(hook, "beforeStep", new Error(`no tool is named ${JSON.stringify(unknown)}.${guess}`));
}
