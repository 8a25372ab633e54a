import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { type Contender, columns, type Measurement, measure, median, ratioOf } from "@tooling/bench";
import { handLoop, pump, readingPump } from "./floors.ts";
import { driverOf, ours } from "./ours.ts";
import { openaiAgents, vercelAi } from "./peers.ts";
import type { Verdict } from "./verdict.ts";
import { answersOf, checkReceived, type Form, type Received, scriptedModel, type Work } from "./work.ts";

const whole: Work = { steps: 5, deltas: 500 };
/** The same with hardly any text: what is left is the price of the steps. */
const short: Work = { steps: 5, deltas: 10 };
/** One step of it: what a run costs by itself. */
const single: Work = { steps: 1, deltas: 10 };

/**
 * Ours is an agent in memory with each driver, and one with ten hooks and all budgets; the pump of a driver reads the same events of the model and stores the same units
 * (see `floors.ts`). The models of `@openai/agents` and of `ai` give as many deltas, and native calls.
 */
const names = {
  hand: "hand loop",
  pump: "pump",
  memory: "ours, in memory",
  whole: "ours, all events",
  guarded: "ours, ten hooks",
  sqlite: "ours, SQLite",
  xmlPump: "pump, XML",
  xml: "ours, XML",
  nativePump: "pump, native calls",
  native: "ours, native calls",
  reactPump: "pump, ReAct",
  react: "ours, ReAct",
  agents: "@openai/agents",
  ai: "ai",
};

/** The pump beside which a contender stands, if it is not the first one. */
const pumps: Record<string, string> = {
  [names.xmlPump]: names.xmlPump,
  [names.xml]: names.xmlPump,
  [names.nativePump]: names.nativePump,
  [names.native]: names.nativePump,
  [names.reactPump]: names.reactPump,
  [names.react]: names.reactPump,
};

type Loop = (received: Received) => Promise<unknown>;

/** The same runs by every contender: CPU time of the main thread for a run, a delta and a step. */
export async function throughput(rounds: number): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), "cogency-bench-"));
  const store = await sqliteStore({ path: join(folder, "bench.db") });
  try {
    const contenders = [whole, short, single].flatMap((work): Contender[] => {
      const provider = scriptedModel(answersOf(work));
      const loops: [string, Loop][] = [
        [names.hand, (received) => handLoop(provider, received)],
        [names.pump, pumped(work, "json")],
        [names.memory, ours(work)],
        [names.whole, ours(work, { isWhole: true })],
        [names.guarded, ours(work, { isGuarded: true })],
        [names.sqlite, ours(work, { store })],
        [names.xmlPump, pumped(work, "xml")],
        [names.xml, ours(work, { form: "xml" })],
        [names.nativePump, pumped(work, "native")],
        [names.native, ours(work, { form: "native" })],
        [names.reactPump, pumped(work, "react")],
        [names.react, ours(work, { form: "react" })],
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
    const measured = await measure(contenders, { rounds, warmup: 4 });
    return report(measured, rounds);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

/** A run of the pump at each call of the function: of the parser, or of the reading of a driver without text protocol. */
function pumped(work: Work, form: Form): Loop {
  const provider = scriptedModel(answersOf(work, form));
  const store = memoryStore();
  const driver = driverOf[form]();
  const start = (conversation: string) =>
    form === "json" || form === "xml"
      ? pump(provider, store, conversation, form)
      : readingPump(driver, provider, store, conversation);
  return async (received) => {
    const conversation = crypto.randomUUID();
    for await (const event of start(conversation)) {
      if (event.type === "result") received.calls += event.payload.tools_executed;
      if (event.type !== "respond" && !(form === "react" && event.type === "think")) continue;
      received.pieces++;
      received.characters += event.content.length;
    }
    // What is kept of earlier runs would make the garbage collection of later ones dearer.
    await store.delete({ conversation });
  };
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
      `${ratioOf(run, of(pumps[name] ?? names.pump, whole)).toFixed(2)}×`,
      `${ratioOf(run, of(names.hand, whole)).toFixed(2)}×`,
      `${perDelta(name).toFixed(2)} µs`,
      `${perStep(name).toFixed(3)} ms`,
    ];
  });
  print(`${whole.steps} steps × ${whole.deltas} deltas of 4 characters, a call a step, ${rounds} rounds`, [
    ["", "CPU median", "min", "÷ its pump", "÷ hand loop", "a delta", "a step"],
    ...rows,
  ]);
  const besidePeers = [names.agents, names.ai].map((peer) => ratioOf(of(names.memory, whole), of(peer, whole)));
  return [
    { what: "in memory ÷ the faster peer", value: Math.max(...besidePeers), most: 1, unit: "×" },
    {
      what: "ten hooks ÷ none",
      value: ratioOf(of(names.guarded, whole), of(names.memory, whole)),
      most: 1.3,
      unit: "×",
    },
    { what: "a step in memory", value: perStep(names.memory), most: 0.15, unit: "ms" },
    { what: "a step in SQLite", value: perStep(names.sqlite), most: 0.5, unit: "ms" },
  ];
}

export function print(title: string, rows: readonly (readonly string[])[]): void {
  console.log([title, ...columns(rows).map((line) => `  ${line}`.trimEnd()), ""].join("\n"));
}
