export type { Plan, PlanStep, StepState } from "./plan.ts";
export { plan } from "./plan-capability.ts";
export type { PlanChoice } from "./plan-choice.ts";
export { type PlanModeOptions, planMode } from "./plan-mode.ts";
export { acceptedPlanOf, planOf } from "./plans-of.ts";
export type { AcceptedPlan, LoggedPlan } from "./read-plans.ts";
