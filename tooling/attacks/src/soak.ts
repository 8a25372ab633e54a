import { classes } from "./classes.ts";
import { createRandom } from "./harness/random.ts";
import { lineOf, type Outcome, runAttack } from "./harness/run-attacks.ts";

// `pnpm soak`, or `node src/soak.ts [part of a class or of an attack]…`: runs all attacks, and names those that broke
// something; the exit code is then 1. ATTACK_SEED repeats the generated inputs of an earlier run.
const seed = Number(process.env.ATTACK_SEED ?? Date.now() % 1_000_000_007);
const wanted = process.argv.slice(2);
const rows: string[][] = [["class", "inputs", "held", "broke", "open", "skipped", "failed", "controls"]];
const totals = [0, 0, 0, 0, 0, 0];
for (const { name, attacks } of classes) {
  const chosen = attacks(createRandom(seed)).filter((attack) => isWanted(name, attack.name));
  if (chosen.length === 0) continue;
  const outcomes: Outcome[] = [];
  for (const attack of chosen) {
    const outcome = await runAttack(attack);
    outcomes.push(outcome);
    if (outcome.end !== "held") console.log(`${name}: ${outcome.end}: ${lineOf(outcome)}`);
  }
  const tried = outcomes.filter(({ attack }) => !attack.isControl);
  const controls = outcomes.filter(({ attack }) => attack.isControl);
  const counts = (["held", "broke", "open", "skipped", "failed"] as const).map(
    (end) => tried.filter((outcome) => outcome.end === end).length,
  );
  for (const [index, count] of [tried.length, ...counts].entries()) totals[index] = (totals[index] ?? 0) + count;
  const passed = controls.filter(({ end }) => end === "held").length;
  rows.push([name, tried.length, ...counts, `${passed} of ${controls.length}`].map(String));
  if (outcomes.some(({ end }) => end === "broke" || end === "failed")) process.exitCode = 1;
}
rows.push(["all", ...totals.map(String), ""]);
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
console.log(`\nattacks, seed ${seed}`);
for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));

function isWanted(name: string, attack: string): boolean {
  return wanted.length === 0 || wanted.some((part) => name.includes(part) || attack.includes(part));
}
