import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Durability } from "../../src/open-database.ts";
import { checkFile, checkStore } from "../crash/check-store.ts";
import { expectWork, nothingExpected } from "../crash/expected.ts";
import { addReport, noWork, type Work } from "../crash/work.ts";
import { type Random, randomOf } from "../support/random.ts";
import { createDisk } from "./disk.ts";
import { traceWriter } from "./traced-writer.ts";

const writer = "a";

/**
 * Lets a writer work on a store in `folder`, and simulates a power cut at `cuts` random moments. Each time it opens and
 * checks a possible content of the disk.
 *
 * With `process` the last operations may be missing, but what is left is always all that was done up to some moment.
 *
 * @returns after how many cuts an acknowledged operation was missing; must be 0 with `power`
 * @throws what was violated, with the seed as the message's start
 */
export async function powerCuts(folder: string, seed: number, durability: Durability, cuts: number): Promise<number> {
  const random = randomOf(seed);
  const place = join(folder, "traced");
  mkdirSync(place);
  const trace = join(folder, "trace");
  const steps = await traceWriter({ folder: place, trace, name: writer, seed, durability }, 2 * cuts);
  const disk = createDisk(place);
  const work = noWork(writer);
  const moments = Array.from({ length: cuts }, () => random.below(steps.length + 1)).sort((one, other) => one - other);
  let taken = 0;
  let losses = 0;
  for (const [cut, moment] of moments.entries()) {
    for (const step of steps.slice(taken, moment)) {
      if (step.kind === "report") addReport(work, step.line);
      else disk.take(step);
    }
    taken = moment;
    const left = join(folder, `cut-${cut}`);
    try {
      const files = disk.afterPowerCut(random);
      const check = (lost: number) => checkLeft(files, left, withoutLast(work, lost), `cut${cut}`, random);
      const most = durability === "power" ? 0 : work.acknowledged.length;
      if ((await leastLost(most, check)) > 0) losses++;
      rmSync(left, { recursive: true });
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : cause;
      throw new Error(`Seed ${seed}, ${durability}, step ${moment} of ${steps.length}: ${problem}`, { cause });
    }
  }
  assert.ok(work.acknowledged.length > cuts / 4, "The writer did next to nothing.");
  rmSync(place, { recursive: true });
  return losses;
}

/**
 * The smallest number of last operations that must be missing for `check` to pass.
 *
 * @throws the error of `check` with no operation missing, if it never passes
 */
async function leastLost(most: number, check: (lost: number) => Promise<void>): Promise<number> {
  let problem: unknown;
  for (let lost = 0; lost <= most; lost++) {
    try {
      await check(lost);
      return lost;
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

/** Asserts that the files are a store in which this work was done. */
async function checkLeft(files: ReadonlyMap<string, Buffer>, folder: string, work: Work, run: string, random: Random) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [path, content] of files) writeFileSync(join(folder, basename(path)), content);
  const expected = nothingExpected([writer]);
  expectWork(expected, [structuredClone(work)]);
  const path = join(folder, "store.db");
  await checkStore(path, expected, run, random);
  checkFile(path);
}

/**
 * The work as if the writer had ended before this many of its last acknowledged operations, perhaps during the first.
 */
function withoutLast({ writer, acknowledged, pending }: Work, lost: number): Work {
  const first = acknowledged.length - lost;
  return { writer, acknowledged: acknowledged.slice(0, first), pending: acknowledged[first]?.operation ?? pending };
}
