import { columns, median } from "@tooling/bench";

export interface Contestant {
  readonly name: string;
  run(): Promise<void>;
}

/** Lets each run in turn, after a tenth as many rounds that are not measured. Gives lines of a table, in which the first is the floor. */
export async function interleaved(contestants: readonly Contestant[], rounds: number): Promise<string[]> {
  const times = contestants.map((): number[] => []);
  const unmeasured = Math.ceil(rounds / 10);
  for (let round = 0; round < unmeasured + rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      // Nobody is always behind the same one, and pays for its garbage.
      const index = (round + turn) % contestants.length;
      const start = performance.now();
      await contestants[index]?.run();
      if (round >= unmeasured) times[index]?.push((performance.now() - start) * 1000);
    }
  }
  const floor = median(times[0] ?? []);
  return columns([
    ["", "median", "p99", "÷ floor"],
    ...contestants.map(({ name }, index) => rowOf(name, times[index] ?? [], floor)),
  ]).map((line) => `  ${line}`);
}

function rowOf(name: string, times: readonly number[], floor: number): string[] {
  const middle = median(times);
  const late = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
  return [name, microseconds(middle), microseconds(late), `${(middle / floor).toFixed(2)}×`];
}

function microseconds(value: number): string {
  return `${Math.round(value).toLocaleString("en-US")} µs`;
}
