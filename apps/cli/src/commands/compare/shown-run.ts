import type { CallDifference, ComparedRun, Comparison, ComparisonSummary, VariantRun } from "@cogency/rerun";
import { counted } from "../../base/terminal/text.ts";

/** The names of the columns of a table of runs. */
export const runColumns = [
  "",
  "ended",
  "steps",
  "calls",
  "input",
  "cached",
  "output",
  "cost",
  "seconds",
  "prefix",
] as const;

/** The columns with numbers. */
export const numberColumns = [2, 3, 4, 5, 6, 7, 8] as const;

/** The cells of one run. Texts are as they are, not yet safe to show. */
export function runCells(run: ComparedRun | VariantRun): string[] {
  const { name, status, reason, steps, usage, cost, seconds } = run;
  return [
    "repetition" in run && run.repetition > 1 ? `${name} (${run.repetition})` : name,
    reason === undefined ? status : `${status}: ${reason}`,
    String(steps),
    callsCell(run),
    tokens(usage.input + usage.cacheWrite),
    tokens(usage.cacheRead),
    tokens(usage.output),
    money(cost),
    secondsText(seconds),
    "prefix" in run ? prefixText(run) : "",
  ];
}

function callsCell(run: ComparedRun | VariantRun): string {
  if (!("differences" in run) || run.calls === 0) return String(run.calls);
  return `${run.calls} (${run.differences.filter(({ kind }) => kind === "same").length} same)`;
}

/** What the first request of a variant shares with the recorded one. */
function prefixText({ prefix }: VariantRun): string {
  if (!prefix) return "not asked";
  const { same, messages, firstDifference, record, differs = [] } = prefix;
  const bytes = same
    ? `${counted(messages, "message")}, same bytes`
    : `differs from message ${(firstDifference ?? 0) + 1} on`;
  const edited = record === "differs" ? "; the log was changed after it was recorded" : "";
  return `${bytes}${differs.length > 0 ? `; other ${differs.join(", ")}` : ""}${edited}`;
}

/** The names of the columns of a table over several conversations. */
export const summaryColumns = [
  "",
  "completed",
  "steps",
  "calls",
  "input",
  "cached",
  "output",
  "cost",
  "seconds",
] as const;

/** Sums, with the median of one run behind them. */
export function summaryCells(summary: ComparisonSummary): string[] {
  const { name, runs, completed, steps, calls, input, cacheRead, cacheWrite, output, cost, seconds } = summary;
  const both = ({ sum, median }: { sum: number; median: number }, shown = tokens) => `${shown(sum)} (${shown(median)})`;
  return [
    name,
    `${completed}/${runs}`,
    both(steps),
    both(calls),
    both({ sum: input.sum + cacheWrite.sum, median: input.median + cacheWrite.median }),
    both(cacheRead),
    both(output),
    cost ? both(cost, money) : "",
    both(seconds, secondsText),
  ];
}

/** The sign of a call in a difference. */
export const signs: Readonly<Record<CallDifference["kind"], string>> = {
  same: "=",
  changed: "~",
  added: "+",
  missing: "-",
};

/** Whether a call of a variant got its result from the record. */
export function isUnrecorded({ uses }: VariantRun, { made }: CallDifference): boolean {
  return made !== undefined && uses?.some(({ id, recorded }) => id === made.id && !recorded) === true;
}

export function callText({ name, args }: { name: string; args: object }): string {
  return `${name} ${JSON.stringify(args)}`;
}

/** What a comparison is about: `c from event 12: "read my notes"`. */
export function headingOf({ conversation, from, prompt }: Comparison): string {
  return `${conversation} from event ${from}: ${prompt}`;
}

function tokens(count: number): string {
  return Number.isInteger(count) ? String(count) : count.toFixed(1);
}

function money(cost: number | undefined): string {
  if (cost === undefined) return "";
  return cost === 0 ? "0" : cost.toFixed(cost < 0.1 ? 6 : 2);
}

function secondsText(seconds: number): string {
  return seconds.toFixed(1);
}
