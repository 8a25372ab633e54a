import { type LogEvent, parseResults } from "@cogency/protocol";
import { longestStep, mostSteps, type Plan, readPlan } from "./plan.ts";
import { planTool, presentTool } from "./tool-names.ts";

/** A plan as a log holds it. */
export interface LoggedPlan extends Plan {
  /** The id of the call that wrote it. */
  readonly call: string;
  /** The place of that call in the log, counted from 0. */
  readonly at: number;
}

/** A plan that a person has accepted. */
export interface AcceptedPlan {
  /** The text as the person saw it. */
  readonly plan: string;
  readonly steps: readonly string[];
  /** What the person chose. */
  readonly choice: string;
  /** Why that was not possible. */
  readonly problem?: string;
  readonly call: string;
  readonly at: number;
}

/** The plans of a log. */
export interface Plans {
  /** The last one that a call has written, or that a person has accepted with steps. */
  readonly plan: LoggedPlan | undefined;
  /** The last one that a person has accepted. */
  readonly accepted: AcceptedPlan | undefined;
  /** The ids of the calls whose plans no longer stand. */
  readonly replaced: ReadonlySet<string>;
}

/** A call that has not ended yet. */
interface OpenCall {
  readonly at: number;
  args: unknown;
  readonly isPlan: boolean;
}

/** Reads the plans of a log that grows. A log may come from elsewhere, so it may hold anything. */
export class PlansReader implements Plans {
  plan: LoggedPlan | undefined;
  accepted: AcceptedPlan | undefined;
  readonly replaced = new Set<string>();
  /** How many events were read. */
  count = 0;
  readonly #open = new Map<string, OpenCall>();
  /** The ids of calls that a person was asked about. They stay. */
  readonly #asked = new Set<string>();

  read(event: LogEvent): void {
    const at = this.count++;
    if (event.type === "call") this.#called(event.id, event.content, at);
    else if (this.#open.size === 0) return;
    else if (event.type === "result") this.#answered(event.content, Array.isArray(event.ids) ? event.ids : []);
    else if (event.type === "user" || event.type === "cancelled") this.#open.clear();
    else if (event.type === "record") this.#recorded(event);
  }

  #called(id: string | undefined, content: string, at: number): void {
    const call = id === undefined ? undefined : callIn(content);
    if (id !== undefined && call) this.#open.set(id, { at, ...call });
  }

  #recorded(event: LogEvent & { type: "record" }): void {
    if (event.kind === "started" && typeof event.data?.call === "string") {
      const open = this.#open.get(event.data.id);
      if (open) open.args = callIn(event.data.call)?.args;
    }
    if (event.kind === "finished") this.#ended(event.data?.id, event.data?.result);
  }

  #answered(content: string, ids: readonly string[]): void {
    const results = (typeof content === "string" && parseResults(content)) || [];
    for (const [index, id] of ids.entries()) this.#ended(id, results[index]);
    this.#open.clear();
  }

  #ended(id: string, result: { status?: unknown; content?: unknown } | undefined): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    if (result?.status !== "success") return;
    if (open.isPlan) this.#stands(readPlan(open.args), id, open.at);
    else this.#presented(open, id, result.content);
  }

  #presented({ args, at }: OpenCall, call: string, result: unknown): void {
    const { accepted, choice, problem } = (result ?? {}) as Readonly<Record<string, unknown>>;
    const { plan, steps } = (args ?? {}) as { plan?: unknown; steps?: unknown };
    if (accepted !== true || typeof plan !== "string" || typeof choice !== "string") return;
    const list = acceptedSteps(steps);
    if (this.accepted === undefined || this.accepted.at < at)
      this.accepted = { plan, steps: list, choice, call, at, ...(typeof problem === "string" && { problem }) };
    this.#asked.add(call);
    if (list.length > 0) this.#stands({ steps: list.map((step) => ({ step, state: "open" })) }, call, at);
  }

  /** Of calls that ran side by side, the last in call order counts. */
  #stands(plan: Plan | string, call: string, at: number): void {
    if (typeof plan === "string") return;
    const [earlier, later] = (this.plan?.at ?? -1) < at ? [this.plan?.call, { ...plan, call, at }] : [call, this.plan];
    if (earlier !== undefined && !this.#asked.has(earlier)) this.replaced.add(earlier);
    this.plan = later;
  }
}

/** The steps of a plan that is presented, as they can stand in a plan. */
export function acceptedSteps(steps: unknown): string[] {
  if (!Array.isArray(steps)) return [];
  return steps
    .flatMap((step) => (typeof step === "string" ? step.replace(/\s+/gu, " ").trim().slice(0, longestStep) : []))
    .filter((step) => step !== "")
    .slice(0, mostSteps);
}

function callIn(content: string): { args: unknown; isPlan: boolean } | undefined {
  // Most calls are of other tools, and some are long.
  if (typeof content !== "string" || !content.slice(0, 60).includes("plan")) return undefined;
  try {
    const { name, args } = JSON.parse(content) as { name?: unknown; args?: unknown };
    return name === planTool || name === presentTool ? { args, isPlan: name === planTool } : undefined;
  } catch {
    return undefined;
  }
}
