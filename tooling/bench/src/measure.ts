import { cpuTick, cpuTime } from "./cpu-time.ts";
import { type Measurement, median, ratioOf } from "./measurement.ts";

/** One of the ways of doing the same work. */
export interface Contender {
  name: string;
  /** The work, once. Short work is repeated until it is long enough for the CPU clock. */
  run: () => unknown;
  /** The least that could be done, such as reading the input once; the others are given as multiples of it. */
  floor?: true;
  /** How many bytes one run handles, for a rate in MB/s (1 MB = 1,000,000 bytes). */
  bytes?: number;
  /** How many operations one run does, for a rate in operations/s; without it and `bytes` a run is one operation. */
  operations?: number;
}

export interface MeasureOptions {
  /** How often each contender is measured; at least 5, which is the default. */
  rounds?: number;
  /** How often each contender runs before it is measured; 2 by default. */
  warmup?: number;
  /** Milliseconds of CPU time that a measurement takes at least, 60 by default; never less than 50 steps of the clock. */
  shortest?: number;
}

/**
 * Measures contenders side by side. Rounds are interleaved (A B C, A B C, …), so that a machine which slows down slows
 * all of them down. CPU time is compared, not the clock, so that other processes matter little; it is the main
 * thread's where Node can tell, so that garbage collection and compilation on other threads do not count. With
 * `node --expose-gc` each measurement begins with a clean young generation, so that it pays for its own garbage only. (A
 * full collection would make the engine forget what it has learnt about code that did not run for a while.)
 */
export async function measure(contenders: readonly Contender[], options: MeasureOptions = {}): Promise<Measurement[]> {
  const { rounds = 5, warmup = 2 } = options;
  if (rounds < 5) throw new RangeError(`${rounds} rounds were asked for; a median needs at least 5.`);
  const shortest = Math.max(options.shortest ?? 60, 50 * cpuTick());
  const times = contenders.map((): number[] => []);
  const repeats = contenders.map(() => 1);
  // What nobody holds, a collection takes, with all that the engine has learnt about its shape.
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
  /** CPU time of all runs. */
  time: number;
  /** By the clock. */
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
    // To wait for what is no promise would cost more than the shortest runs do.
    if (result instanceof Promise) result = await result;
  }
  return { time: cpuTime() - start, elapsed: performance.now() - begin, result };
}

/** How many times as long as its CPU time a measurement may last: what mostly waits would be repeated without end. */
const patience = 10;

/** Milliseconds: what took less was not seen by the finest of CPU clocks. */
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
