import type { Budget } from "@cogency/agent";
import type { Options } from "../place/config/option-table.ts";

/** What ends a run, as the options and the configuration name it. */
export type LimitOptions = Options<
  "maxSteps" | "maxSeconds" | "maxCost" | "maxTokens" | "maxCalls" | "maxFailedCalls" | "maxRepeats" | "maxFailures"
>;

interface LimitRow {
  readonly option: keyof LimitOptions;
  readonly budget: keyof Omit<Budget, "conversation">;
  /** How `/budget` names it. */
  readonly name: string;
  /** What it counts, for `/budget`. */
  readonly unit: string;
  /** Holds where nobody is at the terminal and nothing is said. */
  readonly usual: number;
  /** A person at the terminal is asked instead, or looks at it: by default it holds no chat. */
  readonly isNotInChat?: true;
}

/**
 * Every limit that can end a run. A job of several hundred steps passes the usual ones. Money is bounded where a person says so: prices may be in
 * any currency.
 */
export const limitRows: readonly LimitRow[] = [
  row("maxSteps", "steps", "steps", "steps", 1000, true),
  row("maxSeconds", "seconds", "seconds", "s", 10_800, true),
  row("maxCost", "cost", "cost", "in the currency of the prices", Number.POSITIVE_INFINITY),
  row("maxTokens", "tokens", "tokens", "tokens, those that are sent again counted once", Number.POSITIVE_INFINITY),
  row("maxCalls", "toolCalls", "calls", "calls", Number.POSITIVE_INFINITY),
  row("maxFailedCalls", "failedCalls", "failed-calls", "failed calls in a row", 8),
  row("maxRepeats", "repeats", "repeats", "times the same calls with the same results in a row", 3),
  row("maxFailures", "failures", "failures", "unusable answers in a row", 3),
];

function row(
  option: keyof LimitOptions,
  budget: LimitRow["budget"],
  name: string,
  unit: string,
  usual: number,
  isNotInChat?: true,
): LimitRow {
  return { option, budget, name, unit, usual, ...(isNotInChat && { isNotInChat }) };
}

/** The limits of a run. */
export function budgetOf(options: LimitOptions): Budget {
  return Object.fromEntries(limitRows.map(({ option, budget, usual }) => [budget, options[option] ?? usual]));
}

/** The limits of a turn of a chat. */
export function chatBudgetOf(options: LimitOptions): Budget {
  const entries = limitRows.map(({ option, budget, usual, isNotInChat }) => [
    budget,
    options[option] ?? (isNotInChat ? Number.POSITIVE_INFINITY : usual),
  ]);
  return Object.fromEntries(entries);
}
