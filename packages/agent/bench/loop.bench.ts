import { cpus, loadavg } from "node:os";
import { live } from "./live.ts";
import { longLog } from "./long-log.ts";
import { parked } from "./parked.ts";
import { slowStore } from "./slow-store.ts";
import { throughput } from "./throughput.ts";
import { verdictLine } from "./verdict.ts";

/**
 * What the loop costs beside the parts that it is made of, beside a loop written by hand, and beside other packages that do
 * the same work.
 */
const load = () => loadavg()[0]?.toFixed(1);
const begun = performance.now();
console.log(`CPU time of the main thread, Node ${process.version}, ${cpus().length} cores, load ${load()}\n`);
const verdicts = [
  ...(await throughput(9)),
  ...(await live(9)),
  ...(await parked()),
  ...(await longLog()),
  ...(await slowStore(5)),
];
for (const verdict of verdicts) console.log(verdictLine(verdict));
console.log(`\nIn ${((performance.now() - begun) / 1000).toFixed(0)} s, load ${load()}.`);
