import type { Usage } from "@cogency/protocol";
import type { ComparedRun, Comparison, VariantRun } from "./comparison.ts";

/** What all runs of one name used, over several conversations. */
export interface ComparisonSummary {
  /** `recorded`, or the name of the variant. */
  readonly name: string;
  readonly runs: number;
  /** How many of them completed. */
  readonly completed: number;
  /** How many of them began with the messages of the recorded request; undefined for the recorded runs. */
  readonly samePrefix?: number;
  readonly steps: Measured;
  readonly calls: Measured;
  /** Calls with the name and the arguments of a recorded one, in the same order; undefined for the recorded runs. */
  readonly sameCalls?: Measured;
  /** Calls that the record did not have; undefined for the recorded runs, and where tools ran. */
  readonly notRecorded?: Measured;
  /** Tokens that no cache had. */
  readonly input: Measured;
  readonly cacheRead: Measured;
  readonly cacheWrite: Measured;
  readonly output: Measured;
  /** Absent if the cost of a run is unknown. */
  readonly cost?: Measured;
  readonly seconds: Measured;
}

interface Measured {
  readonly sum: number;
  /** Of an even number of runs, the mean of both in the middle. */
  readonly median: number;
}

/** One row for the recorded runs, and one for each variant in the order of their first runs. */
export function summarize(comparisons: readonly Comparison[]): ComparisonSummary[] {
  const byName = new Map<string, VariantRun[]>();
  for (const run of comparisons.flatMap(({ variants }) => variants)) {
    byName.set(run.name, [...(byName.get(run.name) ?? []), run]);
  }
  const recorded = comparisons.map((comparison) => comparison.recorded);
  return [summaryOf("recorded", recorded), ...[...byName].map(([name, runs]) => variantSummary(name, runs))];
}

function variantSummary(name: string, runs: readonly VariantRun[]): ComparisonSummary {
  const uses = runs.flatMap((run) => (run.uses ? [run.uses] : []));
  return {
    ...summaryOf(name, runs),
    samePrefix: runs.filter(({ prefix }) => prefix?.same).length,
    sameCalls: measured(runs.map(({ differences }) => differences.filter(({ kind }) => kind === "same").length)),
    ...(uses.length === runs.length && {
      notRecorded: measured(uses.map((all) => all.filter(({ recorded }) => !recorded).length)),
    }),
  };
}

function summaryOf(name: string, runs: readonly ComparedRun[]): ComparisonSummary {
  const costs = runs.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const tokens = (read: (usage: Usage) => number) => measured(runs.map(({ usage }) => read(usage)));
  return {
    name,
    runs: runs.length,
    completed: runs.filter(({ status }) => status === "completed").length,
    steps: measured(runs.map(({ steps }) => steps)),
    calls: measured(runs.map(({ calls }) => calls)),
    input: tokens(({ input }) => input),
    cacheRead: tokens(({ cacheRead }) => cacheRead),
    cacheWrite: tokens(({ cacheWrite }) => cacheWrite),
    output: tokens(({ output }) => output),
    ...(costs.length === runs.length && { cost: measured(costs) }),
    seconds: measured(runs.map(({ seconds }) => seconds)),
  };
}

function measured(values: readonly number[]): Measured {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return { sum: values.reduce((sum, value) => sum + value, 0), median: (low + high) / 2 };
}
