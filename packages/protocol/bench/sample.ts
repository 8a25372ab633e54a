import { cpuTime, type Measurement, median } from "@tooling/bench";
import type { Contender } from "./contenders.ts";
import type { Input } from "./input.ts";
import type { Session } from "./peers.ts";

export interface MeasureOptions {
  rounds: number;
  /** Milliseconds of CPU time that one run of a contender may take, unless it has to be measured whole. */
  budget: number;
}

/**
 * Estimates the time of a contender whose later chunks cost more, from some chunks at the beginning of each tenth of the
 * transcript. Each sample stands for its tenth, so the estimate is less than the time of a whole run.
 */
export function sample({ name, open }: Contender, input: Input, { rounds, budget }: MeasureOptions): Measurement {
  if (!open) throw new TypeError(`${name} does not read chunk by chunk.`);
  const times = Array.from({ length: rounds }, () => sampleOnce(open(), input.chunks, budget / parts));
  const middle = median(times);
  const rate = { value: input.text.length / middle / 1000, unit: "MB/s" as const };
  return { name, times, median: middle, min: Math.min(...times), max: Math.max(...times), ratio: undefined, rate };
}

const parts = 10;

function sampleOnce(session: Session, chunks: readonly string[], budget: number): number {
  const stretch = Math.floor(chunks.length / parts);
  let time = 0;
  for (let first = 0; first + stretch <= chunks.length; first += stretch) {
    const end = first + stretch;
    let next = first;
    const start = cpuTime();
    session.write(chunks[next++] ?? "");
    while (next < end && cpuTime() - start < budget) {
      // Reading the clock takes as long as the cheapest chunks, so it is read once for eight.
      for (const to = Math.min(next + 8, end); next < to; next++) session.write(chunks[next] ?? "");
    }
    time += ((cpuTime() - start) / (next - first)) * stretch;
    session.write(chunks.slice(next, end).join(""));
  }
  return time;
}
