import { check } from "./differential.ts";
import { families } from "./generate.ts";

// node test/fuzz.ts [seconds=60] [seed]: checks the parser against the reference until the time is over.
const seconds = Number(process.argv[2] ?? 60);
const first = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
if (!(seconds > 0 && Number.isSafeInteger(first))) throw new RangeError("usage: node test/fuzz.ts [seconds] [seed]");

const start = performance.now();
const elapsed = () => (performance.now() - start) / 1000;
let seed = first;
let nextReport = 10;
let failure: string | undefined;
for (; failure === undefined && elapsed() < seconds; seed++) {
  failure = check(seed);
  if (elapsed() < nextReport) continue;
  console.log(`${Math.round(elapsed())} s: ${(seed - first).toLocaleString("en")} inputs`);
  nextReport += 10;
}
console.log(`${(seed - first).toLocaleString("en")} inputs (${families.join(", ")}) from seed ${first}`);
if (failure !== undefined) {
  console.error(failure);
  process.exitCode = 1;
}
