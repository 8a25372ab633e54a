import { columns, median, ratioOf } from "@tooling/bench";

export interface Contender {
  name: string;
  run: () => Promise<unknown>;
}

/**
 * Measures the two in turn, by the clock, because most of the time is the server's, and prints a table.
 *
 * @param operations how many of them one run does
 * @returns the time of `ours` as a multiple of the floor's
 */
export async function compareByTheClock(
  title: string,
  { rounds, operations }: { rounds: number; operations: number },
  floor: Contender,
  ours: Contender,
): Promise<number> {
  const both = [floor, ours].map(({ name, run }) => ({ name, run, times: [] as number[] }));
  const warmup = 2;
  for (let round = -warmup; round < rounds; round++) {
    // Neither of them is always the one after the other.
    for (const { run, times } of round % 2 ? both.toReversed() : both) {
      const start = performance.now();
      await run();
      if (round >= 0) times.push(performance.now() - start);
    }
  }
  const [bare, store] = both;
  const ratio = bare && store ? ratioOf(store, bare) : Number.NaN;
  const rows = [
    ["", "median", "min", "max", "floor", "rate"],
    ...both.map(({ name, times }) => [
      name,
      ...[median(times), Math.min(...times), Math.max(...times)].map((time) => `${time.toFixed(1)} ms`),
      name === floor.name ? "1.00×" : `${ratio.toFixed(2)}×`,
      `${Math.round((1000 * operations) / median(times)).toLocaleString("en-US")}/s`,
    ]),
  ];
  console.log([title, ...columns(rows).map((line) => `  ${line}`), ""].join("\n"));
  return ratio;
}
