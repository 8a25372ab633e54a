import type { Budget } from "./agent-options.ts";
import type { Model } from "./model.ts";
import type { RunLimits } from "./settings.ts";

const endless = Number.POSITIVE_INFINITY;

/**
 * The limits of an agent without a `budget`. They end a run that has lost its way; a job of 100 steps with a context of 100,000 tokens
 * passes them all.
 */
export const usualLimits: RunLimits = {
  steps: 200,
  tokens: 2_000_000,
  cost: undefined,
  toolCalls: 1000,
  seconds: 10_800,
  failures: 3,
  repeats: 3,
  failedCalls: 8,
  continuations: 3,
  calls: 1000,
  conversation: { steps: endless, tokens: endless, cost: endless, toolCalls: endless },
};

/**
 * The limits that a checked budget names, beside the others.
 *
 * @param models those that a run may ask
 * @throws TypeError for a limit of the cost where the price of a model is unknown
 */
export function limitsOf(budget: Budget = {}, others: RunLimits, models: readonly Model[]): RunLimits {
  checkPrices("budget.cost", budget.cost, models);
  checkPrices("budget.conversation.cost", budget.conversation?.cost, models);
  return {
    ...others,
    ...given(budget),
    conversation: { ...others.conversation, ...given(budget.conversation ?? {}) },
  };
}

/** A limit that is undefined counts as not given. */
function given<Given extends object>(limits: Given): { [Name in keyof Given]: NonNullable<Given[Name]> } {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)) as never;
}

function checkPrices(name: string, cost: number | undefined, models: readonly Model[]): void {
  if (cost === undefined || cost === endless) return;
  const unknown = models.find(({ price }) => price === undefined);
  if (!unknown) return;
  const model = unknown.request.model ?? unknown.provider.model;
  throw new TypeError(
    `${name} is ${cost}, but the price of the model ${JSON.stringify(model)} is unknown; add it to \`prices\` of createAgent.`,
  );
}
