import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStoreConformance, withoutProcesses, withoutReopen } from "@cogency/storage/testkit";
import { sqliteStore } from "../src/index.ts";
import { crashChain } from "./crash/crash-chain.ts";
import { damageRun } from "./damage/damage-run.ts";
import { powerCuts } from "./power/power-cuts.ts";
import { freshSeed } from "./support/random.ts";

// `pnpm soak` runs crash.verify.test.ts and damage.verify.test.ts for longer: SOAK_ROUNDS rounds of killed writers (300 by default),
// and for each round ten damaged stores and, if strace is installed, two power cuts. At the first violation it ends
// with 1 and keeps the stores.
const rounds = Number(process.env.SOAK_ROUNDS ?? 300);
const chain = 20;
const folder = mkdtempSync(join(tmpdir(), "cogency-soak-"));
try {
  const totals = { rounds: 0, kills: 0, operations: 0, damaged: 0, failures: 0 };
  while (totals.rounds < rounds) {
    const length = Math.min(chain, rounds - totals.rounds);
    const place = join(folder, String(totals.rounds));
    mkdirSync(place);
    const [{ kills, operations }, failures] = await Promise.all([
      crashChain(place, freshSeed(), length),
      damageRun(place, freshSeed(), length * 10),
    ]);
    rmSync(place, { recursive: true });
    totals.rounds += length;
    totals.kills += kills;
    totals.operations += operations;
    totals.damaged += length * 10;
    totals.failures += failures;
    if (totals.rounds % 100 === 0 || totals.rounds === rounds) print(totals);
  }
  await checkInMemory();
  if (canTrace()) await soakPower();
  else console.log("sqlite: no power cuts, because they need strace (Debian and Ubuntu: apt-get install strace)");
  rmSync(folder, { recursive: true });
} catch (error) {
  console.error(error);
  console.error(`The stores were left in ${folder}.`);
  process.exitCode = 1;
}

/** The cases of which sqlite-store.test.ts runs a few. */
async function checkInMemory(): Promise<void> {
  const make = async () => ({ store: await sqliteStore({ path: ":memory:" }) });
  const declarations = { ...withoutReopen, ...withoutProcesses };
  const { table } = await runStoreConformance("sqliteStore in memory", make, declarations);
  console.log(table.split("\n").at(-1));
}

/** One store that must lose nothing, and one that may: if that one never loses anything, the test has no effect. */
async function soakPower(): Promise<void> {
  const cuts = 40;
  const runs = Math.max(1, Math.round(rounds / cuts));
  const losses = { power: 0, process: 0 };
  for (let run = 0; run < runs; run++) {
    for (const durability of ["power", "process"] as const) {
      const place = join(folder, `${durability}-${run}`);
      mkdirSync(place);
      losses[durability] += await powerCuts(place, freshSeed(), durability, cuts);
      rmSync(place, { recursive: true });
    }
  }
  assert.ok(losses.process > 0, "No power cut has lost anything, even where nothing was flushed.");
  console.log(
    `sqlite: ${runs * cuts} power cuts with durability "power", none lost what was acknowledged; ` +
      `as many with "process", ${losses.process} lost the last operations, every database sound`,
  );
}

function canTrace(): boolean {
  return spawnSync("strace", ["-o", "/dev/null", "true"], { stdio: "ignore" }).status === 0;
}

function print(totals: Record<"rounds" | "kills" | "operations" | "damaged" | "failures", number>): void {
  const { rounds, kills, operations, damaged, failures } = totals;
  console.log(
    `sqlite: ${rounds} rounds, ${kills} writers killed, ${operations} acknowledged operations, none lost; ` +
      `${damaged} damaged stores, ${failures} with a clear error, the others with a clean prefix`,
  );
}
