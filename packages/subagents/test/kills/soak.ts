import { drill } from "./drill.ts";

// Kills the task at every mark, or at every `STEP`th; `POSTGRES` is the address of an empty database for each.
const step = Number(process.env.STEP ?? 1);
const stages = new Map<string, number>();
for (let mark = Number(process.env.FROM ?? 1); ; mark += step) {
  const drilled = await drill([mark]);
  if (!drilled) break;
  const [name = ""] = drilled.struck;
  stages.set(name, (stages.get(name) ?? 0) + 1);
  console.log(`${mark}: ${name}, ${drilled.effects} payments`);
}
console.table([...stages]);
