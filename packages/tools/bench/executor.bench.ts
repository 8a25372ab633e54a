import { columns } from "@tooling/bench";
import { earlyStart } from "./early-start.ts";
import { overhead } from "./overhead.ts";
import { sleeps } from "./sleeps.ts";

/** What the executor costs above the promises it cannot do without, and what it saves. */
console.log(`Medians, Node ${process.version}\n`);

for (const { title, rows } of [await overhead(), await sleeps(), await earlyStart()]) {
  console.log([title, ...columns(rows).map((line) => `  ${line}`.trimEnd()), ""].join("\n"));
}
