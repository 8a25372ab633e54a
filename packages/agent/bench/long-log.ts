import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import { memoryStore, type Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { cpuTime, median, ratioOf } from "@tooling/bench";
import { consume, oneAgent } from "./ours.ts";
import { print } from "./throughput.ts";
import type { Verdict } from "./verdict.ts";
import { answersOf, checkReceived, type Received, type Work } from "./work.ts";

const lengths = [10, 1000, 10_000];
/** Steps of a run. The first one, which loads the log, is not measured. */
const steps = 101;
const deltas = 10;

/** Rounds for each store: at least `leastRounds`, and more of them while they are quick, because what is small is noisy. */
const leastRounds = 5;
const mostRounds = 25;
/** Milliseconds. */
const longEnough = 8000;

/** What a step costs in conversations of different lengths. */
export async function longLog(): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), "cogency-bench-"));
  const sqlite = await sqliteStore({ path: join(folder, "bench.db") });
  const stores: [string, Store][] = [
    ["in memory", memoryStore()],
    ["SQLite", sqlite],
  ];
  const verdicts: Verdict[] = [];
  const rows: string[][] = [];
  try {
    for (const [name, store] of stores) {
      const times = await rounds(store);
      rows.push([
        name,
        ...times.map((each) => `${median(each).toFixed(3)} (${Math.min(...each).toFixed(3)}) ms`),
        String(times[0]?.length),
      ]);
      const [few = [], , many = []] = times;
      const ratio = ratioOf({ times: many }, { times: few });
      const what = `a step at 10,000 events above one at 10, ${name}`;
      verdicts.push({ what, value: (ratio - 1) * 100, most: 20, unit: "%" });
    }
  } finally {
    await sqlite.close();
    rmSync(folder, { recursive: true });
  }
  const header = lengths.map((length) => `${length.toLocaleString("en-US")} events`);
  print("CPU time of one more step on a log of so many events: median (min)", [["", ...header, "rounds"], ...rows]);
  return verdicts;
}

/** The milliseconds of a step in each round, for each of the lengths. */
async function rounds(store: Store): Promise<number[][]> {
  const times = lengths.map((): number[] => []);
  const begun = performance.now();
  const isEnough = (count: number) =>
    count >= mostRounds || (count >= leastRounds && performance.now() - begun > longEnough);
  // The first two rounds warm the code up.
  for (let round = -2; round < 0 || !isEnough(round); round++) {
    for (const [index, length] of lengths.entries()) {
      const time = await timedSteps(store, length);
      if (round >= 0) times[index]?.push(time / (steps - 1));
    }
  }
  return times;
}

/** CPU time in milliseconds of the steps after the first one, on a log of `length` events. */
async function timedSteps(store: Store, length: number): Promise<number> {
  const work: Work = { steps, deltas };
  const conversation = `of ${length}`;
  await lengthen(store, conversation, length);
  let start = 0;
  const begin = () => {
    // What the first step has loaded lives as long as the run. It moves among the old objects once, at no later step's cost.
    for (let collections = 0; collections < 2; collections++) globalThis.gc?.({ type: "minor" });
    start = cpuTime();
  };
  const { agent, calls } = oneAgent(onceEach(answersOf(work), begin), store);
  const received: Received = { pieces: 0, characters: 0, calls: 0 };
  await consume(agent.run("go", { stream: "token", conversation }), received);
  const time = cpuTime() - start;
  received.calls = calls();
  checkReceived("ours", work, received);
  return time;
}

/** Makes a log that the agent itself has begun. One that has grown by a tenth or more is made anew. */
async function lengthen(store: Store, conversation: string, length: number): Promise<void> {
  const [last] = await store.load({ conversation }, { last: 1 });
  if (last && last.seq < length * 1.1) return;
  await store.delete({ conversation });
  const { agent } = oneAgent(onceEach(answersOf({ steps: 1, deltas: 1 })), store);
  await agent.run("go", { conversation }).result;
  const begun = (await store.load({ conversation })).length;
  await store.append({ conversation }, turns(length - begun));
}

/**
 * A model that gives the answers in order.
 *
 * @param second is called at the second request
 */
function onceEach(answers: ReturnType<typeof answersOf>, second?: () => void) {
  let step = 0;
  return {
    name: "scripted",
    model: "scripted-1",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    async *stream() {
      if (step === 1) second?.();
      for (const event of answers[step++] ?? []) yield event;
    },
  };
}

/** The events of turns with a call in each. */
function turns(count: number): LogEvent[] {
  return Array.from({ length: Math.ceil(count / 8) }, (_, turn): LogEvent[] => {
    const id = `call_${String(turn).padStart(20, "0")}`;
    const result = { tool: "shout", status: "success" as const, content: `RESULT ${turn}` };
    return [
      { type: "user", content: `Question ${turn}, which is as long as questions are.`, timestamp: turn },
      { type: "think", content: "The tool knows that.", timestamp: turn },
      {
        type: "call",
        content: JSON.stringify({ name: "shout", args: { text: `result ${turn}` } }),
        id,
        timestamp: turn,
      },
      { type: "record", kind: "started", data: { id }, timestamp: turn },
      { type: "record", kind: "finished", data: { id, result }, timestamp: turn },
      {
        type: "result",
        content: JSON.stringify([result]),
        payload: { tools_executed: 1, success_count: 1, failure_count: 0 },
        timestamp: turn,
      },
      { type: "respond", content: `The answer to question ${turn}, in a sentence or two of text.`, timestamp: turn },
      {
        type: "record",
        kind: "usage",
        data: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 1 },
        timestamp: turn,
      },
    ];
  })
    .flat()
    .slice(0, count);
}
