import { columns, median, ratioOf } from "@tooling/bench";

export interface Contender {
  name: string;
  run: () => Promise<unknown>;
}

/**
 * Measures all candidates in turn and prints a table. Measures elapsed time, because the server takes most of it.
 *
 * @param operations the number of operations in one run
 * @returns the times of the others as multiples of the floor's time
 */
export async function compareByTheClock(
  title: string,
  { rounds, operations }: { rounds: number; operations: number },
  floor: Contender,
  ...others: readonly Contender[]
): Promise<number[]> {
  const all = [floor, ...others].map(({ name, run }) => ({ name, run, times: [] as number[] }));
  const warmup = 2;
  for (let round = -warmup; round < rounds; round++) {
    // Changes the order, so that no candidate always follows the same other one.
    for (const { run, times } of round % 2 ? all.toReversed() : all) {
      const start = performance.now();
      await run();
      if (round >= 0) times.push(performance.now() - start);
    }
  }
  const ratios = all.map((one) => (all[0] ? ratioOf(one, all[0]) : Number.NaN));
  const rows = [
    ["", "median", "min", "max", "floor", "rate"],
    ...all.map(({ name, times }, index) => [
      name,
      ...[median(times), Math.min(...times), Math.max(...times)].map((time) => `${time.toFixed(1)} ms`),
      `${ratios[index]?.toFixed(2)}×`,
      `${Math.round((1000 * operations) / median(times)).toLocaleString("en-US")}/s`,
    ]),
  ];
  console.log([title, ...columns(rows).map((line) => `  ${line}`), ""].join("\n"));
  return ratios.slice(1);
}
