import type { Plan, PlanStep, StepState } from "./plan.ts";

const marks: Readonly<Record<StepState, string>> = { open: "[ ]", now: "[>]", done: "[x]", dropped: "[-]" };

/** A step in one line: `[x] Read the tests`. */
export function stepLine({ step, state }: PlanStep): string {
  return `${marks[state]} ${step}`;
}

/** How far a plan is. Steps that were dropped do not count. */
export function progressOf({ steps }: Plan): { done: number; total: number; now: string | undefined } {
  const left = steps.filter(({ state }) => state !== "dropped");
  return {
    done: left.filter(({ state }) => state === "done").length,
    total: left.length,
    now: left.find(({ state }) => state === "now")?.step,
  };
}

/** A plan in a few words: `2/5 · Run the tests`. */
export function planText(plan: Plan): string {
  const { done, total, now } = progressOf(plan);
  return now === undefined ? `${done}/${total}` : `${done}/${total} · ${now}`;
}

/** The steps of a plan that an earlier one does not have in the same state; all of them without one. */
export function changedSteps(plan: Plan, before: Plan | undefined): readonly PlanStep[] {
  const known = new Set(before?.steps.map(stepLine));
  return plan.steps.filter((step) => !known.has(stepLine(step)));
}

/** Whether nothing of a plan is left to do. */
export function isDone({ steps }: Plan): boolean {
  return steps.every(({ state }) => state === "done" || state === "dropped");
}
