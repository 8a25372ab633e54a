import type { ShownConversation } from "./shown-conversation.ts";
import type { Step } from "./step.ts";

/** Sums over the steps of a conversation. */
export interface Totals {
  steps: number;
  calls: number;
  /** Calls that did not succeed. */
  failed: number;
  /** Refused blocks and other errors. */
  errors: number;
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
  /** Absent if no step has one. */
  cost?: number;
  /** Seconds of all steps. */
  duration: number;
  /** The usage of a step was counted from characters. */
  isEstimated: boolean;
  models: readonly ModelTotals[];
}

/** Sums over the steps of one model. */
export interface ModelTotals {
  model: string;
  steps: number;
  input: number;
  output: number;
  cost?: number;
}

/** Counts the steps, calls, errors and tokens of a conversation so far. A value of the log that is no number counts as 0. */
export function totalsOf(conversation: ShownConversation): Totals {
  const totals: Totals = {
    steps: 0,
    calls: 0,
    failed: 0,
    errors: 0,
    input: 0,
    cacheRead: 0,
    cacheWrite: 0,
    output: 0,
    reasoning: 0,
    duration: 0,
    isEstimated: false,
    models: [],
  };
  const models = new Map<string, ModelTotals>();
  for (const step of conversation.steps()) {
    totals.steps++;
    const { usage } = step;
    const model = modelOf(step);
    const ofModel = models.get(model) ?? { model, steps: 0, input: 0, output: 0 };
    models.set(model, ofModel);
    ofModel.steps++;
    if (!usage) continue;
    for (const name of counts) totals[name] += amount(usage[name]);
    ofModel.input += contextOf(step);
    ofModel.output += amount(usage.output);
    if (usage.estimated) totals.isEstimated = true;
    if (usage.cost === undefined) continue;
    totals.cost = (totals.cost ?? 0) + amount(usage.cost);
    ofModel.cost = (ofModel.cost ?? 0) + amount(usage.cost);
  }
  for (const { shown } of conversation.entries()) {
    if (shown.type === "error") totals.errors++;
    if (shown.type !== "call") continue;
    totals.calls++;
    if (shown.outcome !== undefined && shown.outcome !== "success") totals.failed++;
  }
  return { ...totals, models: [...models.values()] };
}

const counts = ["input", "cacheRead", "cacheWrite", "output", "reasoning", "duration"] as const;

/** All tokens of the request of a step, cached or not. */
export function contextOf({ usage }: Step): number {
  return usage ? amount(usage.input) + amount(usage.cacheRead) + amount(usage.cacheWrite) : 0;
}

export function modelOf({ request }: Step): string {
  return request ? String(request.data.model) : "unknown model";
}

/** A log may hold anything. */
function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
