import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crashChain } from "./crash/crash-chain.ts";
import { damageRun } from "./damage/damage-run.ts";
import { freshSeed } from "./random.ts";

// `pnpm soak`: what crash.test.ts and damage.test.ts do, for as long as you like: SOAK_ROUNDS rounds of killed writers
// (300 by default) and ten damaged stores for each. Ends with 1 at the first violation, and keeps the stores then.
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
  rmSync(folder, { recursive: true });
} catch (error) {
  console.error(error);
  console.error(`The stores were left in ${folder}.`);
  process.exitCode = 1;
}

function print(totals: Record<"rounds" | "kills" | "operations" | "damaged" | "failures", number>): void {
  const { rounds, kills, operations, damaged, failures } = totals;
  console.log(
    `sqlite: ${rounds} rounds, ${kills} writers killed, ${operations} acknowledged operations, none lost; ` +
      `${damaged} damaged stores, ${failures} with a clear error, the others with a clean prefix`,
  );
}
