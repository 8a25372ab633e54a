import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Provider } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { type Contender, columns, type Measurement, measure, median, ratioOf } from "@tooling/bench";
import { handLoop, pump } from "./floors.ts";
import { ours } from "./ours.ts";
import { openaiAgents, vercelAi } from "./peers.ts";
import type { Verdict } from "./verdict.ts";
import { answersOf, checkReceived, type Received, scriptedModel, type Work } from "./work.ts";

const whole: Work = { steps: 5, deltas: 500 };
/** The same with hardly any text: what is left is the price of the steps. */
const short: Work = { steps: 5, deltas: 10 };
/** One step of it: what a run costs by itself. */
const single: Work = { steps: 1, deltas: 10 };

const names = {
  hand: "hand loop",
  pump: "pump",
  memory: "ours, in memory",
  whole: "ours, all events",
  sqlite: "ours, SQLite",
  agents: "@openai/agents",
  ai: "ai",
};

type Loop = (received: Received) => Promise<unknown>;

/** The same runs by every contender: CPU time of the main thread for a run, a delta and a step. */
export async function throughput(rounds: number): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), "cogency-bench-"));
  const store = await sqliteStore({ path: join(folder, "bench.db") });
  try {
    const contenders = [whole, short, single].flatMap((work): Contender[] => {
      const provider = scriptedModel(answersOf(work));
      const pumped = memoryStore();
      const loops: [string, Loop][] = [
        [names.hand, (received) => handLoop(provider, received)],
        [names.pump, (received) => consumePump(provider, pumped, received)],
        [names.memory, ours(work)],
        [names.whole, ours(work, undefined, true)],
        [names.sqlite, ours(work, store)],
        [names.agents, openaiAgents(work)],
        [names.ai, vercelAi(work)],
      ];
      return loops.map(([name, loop]) => ({
        name: label(name, work),
        async run() {
          const received: Received = { pieces: 0, characters: 0, calls: 0 };
          await loop(received);
          checkReceived(name, work, received);
        },
      }));
    });
    const measured = await measure(contenders, { rounds, warmup: 1 });
    return report(measured, rounds);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

async function consumePump(provider: Provider, store: Store, received: Received): Promise<void> {
  const conversation = crypto.randomUUID();
  for await (const event of pump(provider, store, conversation)) {
    if (event.type === "result") received.calls += event.payload.tools_executed;
    if (event.type !== "respond") continue;
    received.pieces++;
    received.characters += event.content.length;
  }
  // What is kept of earlier runs would make the garbage collection of later ones dearer.
  await store.delete({ conversation });
}

function label(name: string, { steps, deltas }: Work): string {
  return `${name}, ${steps} steps of ${deltas}`;
}

function report(measured: readonly Measurement[], rounds: number): Verdict[] {
  const of = (name: string, work: Work) => {
    const found = measured.find((each) => each.name === label(name, work));
    if (!found) throw new Error(`${name} was not measured.`);
    return found;
  };
  /** The difference of two works, round by round. */
  const difference = (name: string, more: Work, less: Work) => {
    const earlier = of(name, less).times;
    return median(of(name, more).times.map((time, round) => time - (earlier[round] ?? Number.NaN)));
  };
  /** Microseconds. */
  const perDelta = (name: string) =>
    (difference(name, whole, short) / (whole.steps * (whole.deltas - short.deltas))) * 1000;
  /** Milliseconds, without those of its text. */
  const perStep = (name: string) =>
    difference(name, short, single) / (short.steps - single.steps) - (perDelta(name) * short.deltas) / 1000;
  const rows = Object.values(names).map((name) => {
    const run = of(name, whole);
    return [
      name,
      `${run.median.toFixed(2)} ms`,
      `${run.min.toFixed(2)} ms`,
      `${ratioOf(run, of(names.pump, whole)).toFixed(2)}×`,
      `${ratioOf(run, of(names.hand, whole)).toFixed(2)}×`,
      `${perDelta(name).toFixed(2)} µs`,
      `${perStep(name).toFixed(3)} ms`,
    ];
  });
  print(`${whole.steps} steps × ${whole.deltas} deltas of 4 characters, a call a step, ${rounds} rounds`, [
    ["", "CPU median", "min", "÷ pump", "÷ hand loop", "a delta", "a step"],
    ...rows,
  ]);
  return [
    { what: "in memory ÷ pump", value: ratioOf(of(names.memory, whole), of(names.pump, whole)), most: 1.3, unit: "×" },
    { what: "a step in memory", value: perStep(names.memory), most: 0.15, unit: "ms" },
    { what: "a step in SQLite", value: perStep(names.sqlite), most: 0.5, unit: "ms" },
  ];
}

export function print(title: string, rows: readonly (readonly string[])[]): void {
  console.log([title, ...columns(rows).map((line) => `  ${line}`.trimEnd()), ""].join("\n"));
}
