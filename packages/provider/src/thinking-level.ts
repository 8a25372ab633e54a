/** How much a model may think before it answers, in this order. */
export const thinkingLevels = ["off", "low", "medium", "high", "max"] as const;

/**
 * How much a model thinks before it answers: `off` not at all, `max` as much as it can. Each wire has its own words or budgets
 * for it, and what they come to differs from model to model.
 */
export type ThinkingLevel = (typeof thinkingLevels)[number];
