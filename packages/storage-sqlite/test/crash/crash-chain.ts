import { join } from "node:path";
import { randomOf } from "../support/random.ts";
import { checkStore } from "./check-store.ts";
import { expectWork, nothingExpected } from "./expected.ts";
import { killWriters } from "./kill-writers.ts";

export interface ChainResult {
  /** Acknowledged operations. */
  operations: number;
  kills: number;
}

/**
 * Kills the writers of one store in `folder` `rounds` times, and checks the store after each time. Every fourth round
 * has several writers.
 *
 * @throws an error that starts with the seed and names the violation
 */
export async function crashChain(folder: string, seed: number, rounds: number): Promise<ChainResult> {
  const random = randomOf(seed);
  const path = join(folder, `crash-${seed}.db`);
  const writers = ["a", "b", "c"];
  const expected = nothingExpected(writers);
  const result: ChainResult = { operations: 0, kills: 0 };
  for (let round = 1; round <= rounds; round++) {
    try {
      const present = round % 4 === 0 ? writers : [random.pick(["a", "b", "c"])];
      const works = await killWriters(path, `r${round}`, present, random);
      expectWork(expected, works);
      await checkStore(path, expected, `r${round}`, random);
      result.kills += works.length;
      for (const { acknowledged } of works) result.operations += acknowledged.length;
    } catch (cause) {
      throw new Error(`Seed ${seed}, round ${round}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
  }
  return result;
}
