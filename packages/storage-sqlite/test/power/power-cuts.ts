import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Durability } from "../../src/durability.ts";
import { checkFile, checkStore } from "../crash/check-store.ts";
import { expectWork, nothingExpected } from "../crash/expected.ts";
import { addReport, noWork } from "../crash/work.ts";
import { type Random, randomOf } from "../random.ts";
import { createDisk, type Disk } from "./disk.ts";
import { traceWriter } from "./traced-writer.ts";

const writer = "a";

/**
 * Lets a writer work on a store in `folder`, and cuts the power at `cuts` random moments of that: each time what the disk
 * may be left with is opened and checked.
 *
 * @returns after how many cuts something was missing that had been acknowledged, which `power` must never be
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
      leaveFiles(disk, left, random);
      const expected = nothingExpected([writer]);
      expectWork(expected, [structuredClone(work)]);
      const path = join(left, "store.db");
      const check = checkStore(path, expected, `cut${cut}`, random);
      if (durability === "power") await check;
      else await check.catch(() => losses++);
      checkFile(path);
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : cause;
      throw new Error(`Seed ${seed}, ${durability}, step ${moment} of ${steps.length}: ${problem}`, { cause });
    }
    rmSync(left, { recursive: true });
  }
  assert.ok(work.acknowledged.length > cuts / 4, "The writer did next to nothing.");
  rmSync(place, { recursive: true });
  return losses;
}

function leaveFiles(disk: Disk, folder: string, random: Random): void {
  mkdirSync(folder);
  for (const [path, content] of disk.afterPowerCut(random)) writeFileSync(join(folder, basename(path)), content);
}
