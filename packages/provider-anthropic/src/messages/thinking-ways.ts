import type { ThinkingWay, ThinkingWays } from "@cogency/provider/http";

/**
 * Newer models decide for themselves how much they think, by an effort. Older ones refuse that, and take a budget of tokens, which the
 * newest refuse: https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking.
 */
export const thinkingWays: ThinkingWays = ({ thinking, maxOutputTokens = Number.POSITIVE_INFINITY }) => {
  if (thinking === "off") return [{ options: { thinking: { type: "disabled" } } }];
  // The budget counts as output and must be less than the limit.
  const budget = Math.min(budgets[thinking], maxOutputTokens - 1);
  const byBudget: ThinkingWay = { options: { thinking: { type: "enabled", budget_tokens: budget } } };
  return [
    byEffort(thinking),
    ...(budget >= leastBudget ? [byBudget] : []),
    ...(thinking === "max" ? [{ ...byEffort("high"), instead: "high" }] : []),
  ];
};

function byEffort(effort: string): ThinkingWay {
  return { options: { thinking: { type: "adaptive" }, output_config: { effort } } };
}

/** Tokens. */
const budgets = { low: 4000, medium: 10_000, high: 20_000, max: 32_000 };

/** The server refuses less. */
const leastBudget = 1024;
