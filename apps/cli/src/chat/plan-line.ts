import { isDone, type Plan, planText } from "@cogency/plan/log";
import { oneLine } from "../base/terminal/text.ts";

/** How far the plan is, for the foot: `plan 2/5 · Run the tests`. Undefined if nothing of it is left to do. */
export function planLine(plan: Plan | undefined, columns: number): string | undefined {
  return plan === undefined || isDone(plan) ? undefined : oneLine(`plan ${planText(plan)}`, columns);
}
