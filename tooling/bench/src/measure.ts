import { cpuTick, cpuTime } from "./cpu-time.ts";
import { type Measurement, median, ratioOf } from "./measurement.ts";

/** One implementation of the work that is compared. */
export interface Contender {
  name: string;
  /** Does the work once. Short work is repeated until the CPU clock can measure it. */
  run: () => unknown;
  /** Marks the lower bound, such as reading the input once. The table shows the others as multiples of it. */
  floor?: true;
  /** Bytes that one run processes. Gives a rate in MB/s (1 MB = 1,000,000 bytes). */
  bytes?: number;
  /** Operations that one run does. Gives a rate in operations/s. Defaults to 1 if there is no `bytes`. */
  operations?: number;
}

export interface MeasureOptions {
  /** How often each contender is measured. At least 5, the default. */
  rounds?: number;
  /** How often each contender runs before it is measured. Defaults to 2. */
  warmup?: number;
  /**
   * The shortest measurement, in milliseconds of CPU time. Defaults to 60, and is never less than 50 times the clock's
   * resolution.
   */
  shortest?: number;
}

/**
 * Measures contenders side by side. Rounds are interleaved (A B C, A B C, …), so a machine that slows down slows all of
 * them down. It compares CPU time instead of elapsed time, so other processes matter little. Where Node can tell, only
 * the main thread counts, without garbage collection and compilation on other threads. With `node --expose-gc`, each
 * measurement begins with an empty young generation and pays only for its own garbage. (A full collection would also
 * discard compiled code that has not run for a while.)
 */
export async function measure(contenders: readonly Contender[], options: MeasureOptions = {}): Promise<Measurement[]> {
  const { rounds = 5, warmup = 2 } = options;
  if (rounds < 5) throw new RangeError(`${rounds} rounds were asked for; a median needs at least 5.`);
  const shortest = Math.max(options.shortest ?? 60, 50 * cpuTick());
  const times = contenders.map((): number[] => []);
  const repeats = contenders.map(() => 1);
  // Keeps the results alive. A collection would otherwise free them, and the optimized code for their shapes with them.
  const kept: unknown[] = [];
  for (let round = -warmup; round < rounds; round++) {
    for (const [index, { run }] of contenders.entries()) {
      const count = repeats[index] ?? 1;
      globalThis.gc?.({ type: "minor" });
      const { time, elapsed, result } = await timed(run, count);
      kept[index] = result;
      if (round >= 0) times[index]?.push(time / count);
      else repeats[index] = Math.ceil((shortest * count) / Math.max(time, elapsed / patience, finest));
    }
  }

  const floor = times[contenders.findIndex((contender) => contender.floor)];
  return contenders.map((contender, index) => measurement(contender, times[index] ?? [], floor));
}

interface Timed {
  /** CPU time of all runs, in milliseconds. */
  time: number;
  /** Elapsed time of all runs, in milliseconds. */
  elapsed: number;
  /** What the last run returned. */
  result: unknown;
}

async function timed(run: () => unknown, count: number): Promise<Timed> {
  let result: unknown;
  const begin = performance.now();
  const start = cpuTime();
  for (let i = 0; i < count; i++) {
    result = run();
    // Awaiting a value that is not a promise would take longer than the shortest runs.
    if (result instanceof Promise) result = await result;
  }
  return { time: cpuTime() - start, elapsed: performance.now() - begin, result };
}

/**
 * The longest elapsed time of a measurement, as a multiple of its CPU time. Work that mostly waits would otherwise
 * repeat forever.
 */
const patience = 10;

/** Milliseconds. No CPU clock measures less. */
const finest = 0.001;

function measurement(
  { name, bytes, operations = 1 }: Contender,
  times: number[],
  floor: number[] | undefined,
): Measurement {
  const middle = median(times);
  return {
    name,
    times,
    median: middle,
    min: Math.min(...times),
    max: Math.max(...times),
    ratio: floor && ratioOf({ times }, { times: floor }),
    rate:
      bytes === undefined
        ? { value: (operations / middle) * 1000, unit: "operations/s" }
        : { value: bytes / middle / 1000, unit: "MB/s" },
  };
}
