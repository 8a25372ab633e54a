import { drill, type GoingOn, type Tally } from "./drill.ts";
import { drivers } from "./task.ts";

// `pnpm soak` kills the processes of crashes.verify.test.ts at every mark, and those that recover every third of these at a mark of their own.
// KILL_SEED repeats the second marks. Ends with 1 at the first violation of a law.
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000_007);

console.log(`agent: processes killed at every stage of a task, seed ${seed}`);
for (const driver of Object.keys(drivers)) {
  for (const how of ["recover", "prompt"] satisfies GoingOn[]) {
    const tally: Tally = { kills: 0, stages: new Set(), effects: 0, unknown: 0 };
    let marks = 0;
    while (await drill(driver, { first: marks + 1 }, how, tally)) {
      marks++;
      const second = 1 + ((seed + marks * 7) % 31);
      if (how === "recover" && marks % 3 === 0) await drill(driver, { first: marks, second }, how, tally);
    }
    console.log(
      `${driver}, then ${how}: ${marks} marks, ${tally.kills} kills at ${tally.stages.size} kinds of stages, ${tally.effects} effects, ${tally.unknown} unknown`,
    );
  }
}
