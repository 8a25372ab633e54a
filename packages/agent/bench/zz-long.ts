import { memoryStore } from "@cogency/storage";
import { consume, oneAgent } from "./ours.ts";
import { answersOf, type Received } from "./work.ts";

const length = Number(process.argv[2] ?? 10000),
  steps = 2000;
const store = memoryStore();
const key = { conversation: "x" };
const once = (answers: ReturnType<typeof answersOf>) => {
  let s = 0;
  return {
    name: "scripted",
    model: "m",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    async *stream() {
      for (const e of answers[s++] ?? []) yield e;
    },
  } as never;
};
await oneAgent(once(answersOf({ steps: 1, deltas: 1 })), store).agent.run("go", key).result;
const ev: unknown[] = [];
for (let t = 0; ev.length < length; t++) {
  const id = `call_${String(t).padStart(20, "0")}`;
  const result = { tool: "shout", status: "success", content: `RESULT ${t}` };
  ev.push(
    { type: "user", content: `Question ${t}, which is as long as questions are.`, timestamp: t },
    { type: "think", content: "The tool knows that.", timestamp: t },
    { type: "call", content: JSON.stringify({ name: "shout", args: { text: `result ${t}` } }), id, timestamp: t },
    { type: "record", kind: "started", data: { id }, timestamp: t },
    { type: "record", kind: "finished", data: { id, result }, timestamp: t },
    {
      type: "result",
      content: JSON.stringify([result]),
      payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
      timestamp: t,
    },
    { type: "respond", content: `The answer to question ${t}, in a sentence or two of text.`, timestamp: t },
  );
}
await store.append(key, ev as never);
const { agent } = oneAgent(once(answersOf({ steps, deltas: 10 })), store);
const s = process.threadCpuUsage();
await consume(agent.run("go", { stream: "token", ...key }), { pieces: 0, characters: 0, calls: 0 } as Received);
const e = process.threadCpuUsage(s);
console.log((e.user + e.system) / 1000 / steps, "ms a step");
