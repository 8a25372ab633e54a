/** CPU time of one run, user and system, in milliseconds. */
export interface Measurement {
  name: string;
  /** One value a round. */
  times: number[];
  median: number;
  min: number;
  max: number;
  /** The time as a multiple of the floor's, see {@link ratioOf}. Undefined if no contender is the floor. */
  ratio: number | undefined;
  rate: { value: number; unit: "MB/s" | "operations/s" };
}

/**
 * How many times as long `a` took as `b`: the median of the ratios of each round. A slow phase of the machine affects
 * both in the same round, so the ratio stays the same; the ratio of two medians would change.
 */
export function ratioOf(a: Pick<Measurement, "times">, b: Pick<Measurement, "times">): number {
  return median(a.times.map((time, round) => time / (b.times[round] ?? Number.NaN)));
}

/** The middle value, or the mean of the two in the middle. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
