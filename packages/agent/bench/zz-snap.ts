import { writeHeapSnapshot } from "node:v8";
import { consume, oneAgent } from "./ours.ts";
import { answersOf, scriptedModel } from "./work.ts";

const gate = Promise.withResolvers<void>();
const { agent } = oneAgent(scriptedModel(answersOf({ steps: 1, deltas: 250 }), { after: 125, until: gate.promise }));
const all: unknown[] = [];
for (let i = 0; i < 1000; i++)
  all.push(
    consume(agent.run("go", { stream: "token", conversation: `c${i}` }), { pieces: 0, characters: 0, calls: 0 }),
  );
for (let t = 0; t < 50; t++) await new Promise((r) => setTimeout(r, 2));
globalThis.gc?.();
globalThis.gc?.();
console.log(process.memoryUsage().heapUsed / 1e6);
writeHeapSnapshot("/tmp/prof/x.heapsnapshot");
process.exit(0);
