import { drill, type Stage } from "./drill.ts";
import { interfere } from "./interference.ts";
import { checkLaw } from "./law.ts";
import { checkTreeLaw } from "./tree-law.ts";

// `pnpm soak` kills a process at every point of a task and of its undo, lets a person write at every point, and compares many random histories of two files with the law of
// undo. UNDO_SEED repeats them. Ends with 1 at the first violation.
const seed = Number(process.env.UNDO_SEED ?? Date.now() % 1_000_000_007);

for (const stage of ["work", "undo", "commands", "undo of commands"] satisfies Stage[]) {
  let points = 0;
  while (await drill(stage, points + 1, "process")) points += 1;
  console.log(`toolbox: ${stage}: killed at each of ${points} points, every file restored`);
}

let moments = 0;
while (await interfere(moments + 1)) moments += 1;
console.log(`toolbox: undo: a person wrote at each of ${moments} points, and nothing of it was lost`);

const numRuns = 500;
await checkLaw({ numRuns, seed });
console.log(`toolbox: undo: ${numRuns} random histories, seed ${seed}`);

await checkTreeLaw({ numRuns, seed });
console.log(`toolbox: undo: ${numRuns} random trees that commands changed, seed ${seed}`);
