import type { Comparison, VariantRun } from "@cogency/rerun";
import { summarize } from "@cogency/rerun";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { clip, excerpt, oneLine } from "../../base/terminal/text.ts";
import {
  callText,
  headingOf,
  isUnrecorded,
  numberColumns,
  runCells,
  runColumns,
  signs,
  summaryCells,
  summaryColumns,
} from "./shown-run.ts";

/** Comparisons as lines: of one conversation with its differences, of several as a summary and a table each. */
export function textComparison(comparisons: readonly Comparison[], columns: number): string[] {
  const [only, ...others] = comparisons;
  if (!only) return [];
  if (others.length === 0)
    return [...tableOf(only, columns), ...only.variants.flatMap((run) => differenceLines(run, columns))];
  const rows = summarize(comparisons).map((summary) => safe(summaryCells(summary)));
  const summary = tableLines(rows, {
    columns,
    head: [...summaryColumns],
    right: rows[0]?.map((_, at) => at).slice(1) ?? [],
  });
  const note = `Sums over ${comparisons.length} conversations; in brackets the median of one run.`;
  return [...summary, note, ...comparisons.flatMap((comparison) => ["", ...tableOf(comparison, columns)])];
}

function tableOf(comparison: Comparison, columns: number): string[] {
  const runs = [comparison.recorded, ...comparison.variants];
  const head = [...runColumns];
  const rows = runs.map((run) => safe(runCells(run)));
  return [oneLine(headingOf(comparison), 200), ...tableLines(rows, { columns, head, right: [...numberColumns] })];
}

function differenceLines(run: VariantRun, columns: number): string[] {
  const width = Number.isFinite(columns) ? Math.max(40, columns) : 160;
  const calls = run.differences.map((difference) => {
    const { kind, made, recorded } = difference;
    const shown = made ?? recorded;
    const was = kind === "changed" && recorded ? `  (recorded: ${JSON.stringify(recorded.args)})` : "";
    const unrecorded = isUnrecorded(run, difference) ? "  not recorded" : "";
    return `  ${signs[kind]} ${clip(oneLine(`${shown ? callText(shown) : ""}${was}`, width), width - 4)}${unrecorded}`;
  });
  const answer = excerpt(run.text, 6, width).map((line) => `  ${line}`);
  const message = run.message === undefined ? [] : [`  ${oneLine(run.message, 300)}`];
  return ["", oneLine(runCells(run)[0] ?? "", 60), ...calls, ...message, ...answer];
}

function safe(cells: readonly string[]): string[] {
  return cells.map((cell) => oneLine(cell, 120));
}
