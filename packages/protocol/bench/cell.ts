import { cpuTime, type Measurement, measure, median } from "@tooling/bench";
import type { ChunkSize } from "./chunks.ts";
import type { Contender } from "./contenders.ts";
import { type Found, type Input, inputOf } from "./input.ts";
import { type MeasureOptions, sample } from "./sample.ts";
import type { TranscriptName } from "./transcripts.ts";

/** One transcript of one size in chunks of one size. */
export interface Cell {
  transcript: TranscriptName;
  /** The approximate number of characters in the transcript. */
  size: number;
  chunk: ChunkSize;
}

export interface CellRow extends Measurement {
  /**
   * `""`: measured as it is; `"~"`: measured on a shorter transcript and multiplied; `"≥"`: sampled, took at least
   * that.
   */
  bound: "" | "~" | "≥";
}

/** Measures contenders side by side. @throws Error if one does not find the calls of the transcript */
export async function measureCell(cell: Cell, contenders: readonly Contender[], options: MeasureOptions) {
  const whole = inputOf(cell.transcript, cell.size, cell.chunk);
  const plans: Plan[] = [];
  for (const contender of contenders) plans.push(await plan(contender, cell, whole, options.budget));
  const timed = plans.filter(({ bound }) => bound !== "≥");
  const measurements = await measure(
    timed.map(({ contender, input }) => ({
      name: contender.name,
      bytes: input.text.length,
      run: () => contender.run(input),
    })),
    { rounds: options.rounds, warmup: cell.size < 1_000_000 ? 2 : 1, shortest: 20 },
  );
  return plans.map(({ contender, input, bound }): CellRow => {
    const measurement = measurements.find(({ name }) => name === contender.name) ?? sample(contender, whole, options);
    return { ...scaled(measurement, whole.text.length / input.text.length), bound };
  });
}

/**
 * Joins the measurements of one cell by several processes, because the engine compiles a little differently in each.
 */
export function together(runs: readonly CellRow[][]): CellRow[] {
  return (runs[0] ?? []).map((row, i) => {
    const times = runs.flatMap((rows) => rows[i]?.times ?? []);
    return { ...row, times, median: median(times), min: Math.min(...times), max: Math.max(...times) };
  });
}

interface Plan {
  contender: Contender;
  input: Input;
  bound: CellRow["bound"];
}

/** Decides from the time for a small transcript how to measure a contender within the budget. */
async function plan(contender: Contender, cell: Cell, whole: Input, budget: number): Promise<Plan> {
  const small = inputOf(cell.transcript, Math.min(cell.size, 10_000), cell.chunk);
  check(contender, await contender.run(small), small);
  let runs = 0;
  const start = cpuTime();
  while (cpuTime() - start < 30) {
    await contender.run(small);
    runs++;
  }
  const ratio = whole.text.length / small.text.length;
  const isQuadratic = contender.open && cell.chunk !== "whole";
  const expected = ((cpuTime() - start) / runs) * (isQuadratic ? ratio ** 2 : ratio);
  if (contender.isAlwaysWhole || expected <= budget) return { contender, input: whole, bound: "" };
  if (isQuadratic) return { contender, input: whole, bound: "≥" };
  let size = cell.size;
  while ((expected * size) / cell.size > budget) size /= 2;
  return { contender, input: inputOf(cell.transcript, size, cell.chunk), bound: "~" };
}

function check({ name }: Contender, { calls }: Found, input: Input): void {
  if (calls === undefined) return;
  const found = JSON.stringify(calls.map((call) => (typeof call === "string" ? (JSON.parse(call) as unknown) : call)));
  if (found !== JSON.stringify(input.calls)) {
    throw new Error(`${name} does not find the ${input.calls.length} calls of a transcript of ${input.text.length}.`);
  }
}

function scaled(measurement: Measurement, factor: number): Measurement {
  const { times, median, min, max } = measurement;
  const longer = times.map((time) => time * factor);
  return { ...measurement, times: longer, median: median * factor, min: min * factor, max: max * factor };
}
