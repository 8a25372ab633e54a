import { memoryStore } from "@cogency/storage";
import { pump } from "./floors.ts";
import { ours } from "./ours.ts";
import { answersOf, type Received, scriptedModel } from "./work.ts";

const [, , steps = "5", deltas = "500", rounds = "300"] = process.argv;
const work = { steps: Number(steps), deltas: Number(deltas) };
const run = ours(work);
const time = async (f: () => Promise<unknown>, n: number) => {
  const s = process.threadCpuUsage();
  for (let i = 0; i < n; i++) await f();
  const e = process.threadCpuUsage(s);
  return (e.user + e.system) / 1000 / n;
};
const one = () => run({ pieces: 0, characters: 0, calls: 0 } as Received);
await time(one, 50);
console.log("ours", (await time(one, Number(rounds))).toFixed(3), "ms a run");
const provider = scriptedModel(answersOf(work));
const store = memoryStore();
const p = async () => {
  const conversation = crypto.randomUUID();
  for await (const _ of pump(provider, store, conversation));
  await store.delete({ conversation });
};
if (!process.argv[5]) await time(p, 50);
if (!process.argv[5]) console.log("pump", (await time(p, Number(rounds))).toFixed(3));
