import type { Measurement } from "./measurement.ts";
import { table } from "./table.ts";

/** One of the ways of doing the same work. */
export interface Contender {
  name: string;
  /** The work, once. Short work is repeated until it is long enough for the CPU clock, which ticks in milliseconds. */
  run: () => unknown;
  /** The least that could be done, such as reading the input once; the others are given as multiples of it. */
  floor?: true;
  /** How many bytes one run handles, for a rate in MB/s (1 MB = 1,000,000 bytes). */
  bytes?: number;
  /** How many operations one run does, for a rate in operations/s; without it and `bytes` a run is one operation. */
  operations?: number;
}

export interface CompareOptions {
  /** How often each contender is measured; at least 5, which is the default. */
  rounds?: number;
  /** How often each contender runs before it is measured; 2 by default. */
  warmup?: number;
}

/**
 * Measures contenders side by side, prints a table and returns what is in it. Rounds are interleaved (A B C, A B C, …),
 * so that a machine which slows down slows all of them down. CPU time is compared, not the clock, so that other
 * processes matter little; it is the main thread's where Node can tell (`process.threadCpuUsage`), so that garbage
 * collection and compilation on other threads do not count.
 */
export async function compare(
  title: string,
  options: CompareOptions,
  contenders: readonly Contender[],
): Promise<Measurement[]> {
  const { rounds = 5, warmup = 2 } = options;
  if (rounds < 5) throw new RangeError(`"${title}" is measured in ${rounds} rounds; a median needs at least 5.`);
  const times = contenders.map((): number[] => []);
  const repeats = contenders.map(() => 1);
  for (let round = -warmup; round < rounds; round++) {
    for (const [index, { run }] of contenders.entries()) {
      const count = repeats[index] ?? 1;
      const start = performance.now();
      const before = cpuUsage();
      for (let i = 0; i < count; i++) await run();
      const { user, system } = cpuUsage(before);
      if (round >= 0) times[index]?.push((user + system) / 1000 / count);
      else repeats[index] = Math.ceil((shortest * count) / (performance.now() - start));
    }
  }

  const floorIndex = contenders.findIndex(({ floor }) => floor);
  const floor = floorIndex < 0 ? undefined : median(times[floorIndex] ?? []);
  const measurements = contenders.map((contender, index) => measurement(contender, times[index] ?? [], floor));
  console.log(table(title, measurements));
  return measurements;
}

/** Milliseconds that a measurement takes at least. */
const shortest = 60;

/** Node has `threadCpuUsage` from 22.19 and 23.9 on. */
const cpuUsage: typeof process.cpuUsage = process.threadCpuUsage ?? process.cpuUsage;

function measurement(
  { name, bytes, operations = 1 }: Contender,
  times: number[],
  floor: number | undefined,
): Measurement {
  const middle = median(times);
  return {
    name,
    median: middle,
    min: Math.min(...times),
    max: Math.max(...times),
    ratio: floor === undefined ? undefined : middle / floor,
    rate:
      bytes === undefined
        ? { value: (operations / middle) * 1000, unit: "operations/s" }
        : { value: bytes / middle / 1000, unit: "MB/s" },
  };
}

function median(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
