export type { Plan, PlanStep, StepState } from "./plan.ts";
export { readPlan } from "./plan.ts";
export { changedSteps, isDone, planText, progressOf, stepLine } from "./plan-view.ts";
export { acceptedPlanOf, planOf } from "./plans-of.ts";
export { type AcceptedPlan, acceptedSteps, type LoggedPlan } from "./read-plans.ts";
export { planTool, presentTool } from "./tool-names.ts";
