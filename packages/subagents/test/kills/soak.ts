import { drill } from "./drill.ts";
import type { PlanName } from "./task.ts";

// Kills a task (`PLAN`) at every `STEP`th mark from `FROM` on; with `THEN`, also the process that goes on, so many marks later.
const { PLAN = "deep", FROM = 1, STEP = 1, THEN } = process.env;
const stages = new Map<string, number>();
for (let mark = Number(FROM); ; mark += Number(STEP)) {
  const drilled = await drill(PLAN as PlanName, THEN === undefined ? [mark] : [mark, Number(THEN) + (mark % 7)]);
  if (!drilled) break;
  for (const name of drilled.struck) stages.set(name, (stages.get(name) ?? 0) + 1);
  console.log(`${mark}: ${drilled.struck.join(", then ")}, ${drilled.effects} payments`);
}
console.table([...stages].toSorted(([one], [other]) => (one < other ? -1 : 1)));
