import type { Budget, ConversationBudget } from "./agent-options.ts";
import type { Model } from "./model.ts";
import type { Limits } from "./settings.ts";

const endless = Number.POSITIVE_INFINITY;

/** The limits of an agent without a `budget`. */
export const usualLimits: Limits = {
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
 * The limits that the options name, beside the others.
 *
 * @param models those that a run may ask
 * @throws RangeError for a limit out of its range; TypeError for a limit of the cost where the price of a model is unknown
 */
export function limitsOf(budget: Budget = {}, others: Limits, models: readonly Model[]): Limits {
  checkPrices("budget.cost", budget.cost, models);
  checkPrices("budget.conversation.cost", budget.conversation?.cost, models);
  const { seconds = others.seconds } = budget;
  aboveZero("budget.seconds", seconds, "a time");
  const limit = (name: "failures" | "repeats" | "failedCalls" | "continuations" | "calls") =>
    atLeastOne(`budget.${name}`, budget[name] ?? others[name]);
  return {
    ...amountsOf("budget", budget, others),
    seconds,
    failures: limit("failures"),
    repeats: limit("repeats"),
    failedCalls: limit("failedCalls"),
    continuations: limit("continuations"),
    calls: limit("calls"),
    conversation: amountsOf("budget.conversation", budget.conversation, others.conversation),
  };
}

function amountsOf<A extends Limits["conversation"]>(group: string, given: ConversationBudget = {}, others: A) {
  const limit = (name: "steps" | "tokens" | "toolCalls") => atLeastOne(`${group}.${name}`, given[name] ?? others[name]);
  const { cost = others.cost } = given;
  if (cost !== undefined) aboveZero(`${group}.cost`, cost, "an amount of money");
  return { steps: limit("steps"), tokens: limit("tokens"), toolCalls: limit("toolCalls"), cost };
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

export function atLeastOne(name: string, value: number): number {
  if ((Number.isInteger(value) || value === endless) && value >= 1) return value;
  throw new RangeError(`${name} is ${value}; give a whole number of at least 1.`);
}

function aboveZero(name: string, value: number, what: string): void {
  if (typeof value === "number" && value > 0) return;
  throw new RangeError(`${name} is ${value}; give ${what} above 0.`);
}
