/** Where a step of a plan stands. At most one step of a plan is `now`. */
export type StepState = (typeof stepStates)[number];

export const stepStates = ["open", "now", "done", "dropped"] as const;

export interface PlanStep {
  /** What is to be done, in one line of at most 200 characters. */
  readonly step: string;
  readonly state: StepState;
}

/** What is to be done, in order. */
export interface Plan {
  /** At most 50. Empty if the plan was put aside. */
  readonly steps: readonly PlanStep[];
  /** Why it has changed, in at most 500 characters. */
  readonly note?: string;
}

export const mostSteps = 50;
export const longestStep = 200;
const longestNote = 500;

/** Reads a plan that a model wrote. A text says what is wrong with it, and what to write instead. */
export function readPlan(args: unknown): Plan | string {
  const { steps, note } = (args ?? {}) as { steps?: unknown; note?: unknown };
  if (!Array.isArray(steps)) return "`steps` is no array. Give the whole list.";
  if (steps.length > mostSteps) return `There are ${steps.length} steps. Give at most ${mostSteps}: join some.`;
  const read = steps.map(readStep);
  const problem = read.find((step) => typeof step === "string");
  if (problem !== undefined) return problem;
  const plan = read as PlanStep[];
  const current = plan.filter(({ state }) => state === "now").length;
  if (current > 1) return `${current} steps are \`now\`. Let one be \`now\`, and the others \`open\`.`;
  if (note === undefined || note === "") return { steps: plan };
  if (typeof note !== "string" || note.length > longestNote)
    return `\`note\` is no text of at most ${longestNote} characters.`;
  return { steps: plan, note: oneLine(note) };
}

function readStep(given: unknown, index: number): PlanStep | string {
  const { step, state } = (given ?? {}) as { step?: unknown; state?: unknown };
  const text = typeof step === "string" ? oneLine(step) : "";
  if (text === "") return `Step ${index + 1} says nothing in \`step\`.`;
  if (text.length > longestStep) return `Step ${index + 1} has ${text.length} characters. Give at most ${longestStep}.`;
  const known = stepStates.find((name) => name === state);
  return known
    ? { step: text, state: known }
    : `Step ${index + 1} has no \`state\` of these: ${stepStates.join(", ")}.`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
