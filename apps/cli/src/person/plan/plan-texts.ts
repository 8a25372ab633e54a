import {
  changedSteps,
  isDone,
  type Plan,
  type PlanStep,
  planText,
  planTool,
  presentTool,
  readPlan,
  stepLine,
} from "@cogency/plan/log";
import type { ToolCall, ToolResult } from "@cogency/protocol";
import type { PlanUpdate } from "./plan-tracker.ts";

/** What a call of the tools for plans is about, in a few words; undefined for other calls. Texts of models: to be filtered. */
export function planCallText({ name, args }: ToolCall): string | undefined {
  if (name === planTool) {
    const plan = readPlan(args);
    return typeof plan === "string" ? undefined : planText(plan);
  }
  if (name !== presentTool || typeof args.plan !== "string") return undefined;
  return args.plan.trim().split("\n", 1)[0] ?? "";
}

/** How far a plan is: `plan 2/5 · Run the tests`. Undefined if nothing of it is left to do. */
export function openPlanText(plan: Plan | undefined): string | undefined {
  return plan === undefined || isDone(plan) ? undefined : `plan ${planText(plan)}`;
}

/** What came of presenting a plan; undefined for other results. */
export function presentedText({ tool, status, content }: ToolResult): string | undefined {
  if (tool !== presentTool || status !== "success") return undefined;
  const { accepted, choice, change, problem } = (content ?? {}) as Readonly<Record<string, unknown>>;
  if (accepted !== true) return typeof change === "string" ? `to be changed: ${change}` : "refused";
  return typeof problem === "string" ? `accepted, but: ${problem}` : `accepted: ${String(choice)}`;
}

/** The lines of an update: why, and the steps that it changed or added. */
export function updateLines(update: PlanUpdate): string[] {
  return linesOf(update, stepLine);
}

/** As `updateLines`, in words: `done: Read the tests`. */
export function updateWords(update: PlanUpdate): string[] {
  return linesOf(update, ({ step, state }) => `${state}: ${step}`);
}

function linesOf({ plan, before }: PlanUpdate, lineOf: (step: PlanStep) => string): string[] {
  const note = plan.note === undefined ? [] : [plan.note];
  return [...note, ...changedSteps(plan, before).map(lineOf)];
}
