import type { History } from "@cogency/agent";
import { isDone, stepLine } from "./plan-view.ts";
import { plansOf } from "./plans-of.ts";
import type { Plans } from "./read-plans.ts";

/**
 * Requests hold one plan, whatever the number of updates: the last call of `plan` stays where the model wrote it, and earlier ones are
 * left out. Where a compaction has taken the place of the call, the plan stands in words behind the summary.
 */
export const planHistory: History = {
  condense(log) {
    const plans = plansOf(log);
    return { without: new Set(plans.replaced), words: (from) => wordsOf(plans, from) };
  },
};

function wordsOf({ plan, accepted }: Plans, from: number): string | undefined {
  const isOver = plan !== undefined && isDone(plan);
  const texts: string[] = [];
  // What was accepted stands until its work is done.
  if (accepted && accepted.at < from && !isOver) texts.push(`The plan that the user has accepted:\n\n${accepted.plan}`);
  if (plan && plan.at < from && plan.steps.length > 0)
    texts.push(`The steps of your plan, as you last wrote them:\n${plan.steps.map(stepLine).join("\n")}`);
  return texts.join("\n\n") || undefined;
}
