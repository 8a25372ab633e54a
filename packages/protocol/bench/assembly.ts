import type { LogEvent } from "@cogency/protocol";
import { cpuTime } from "@tooling/bench";
import type { Build } from "./ours.ts";

/** The cost of a request: reading the events of one step, and making the list of messages. */
export interface AssemblyRow {
  name: string;
  /** The number of events in the log before the step. */
  events: number;
  /** Microseconds of CPU time, round by round. */
  times: number[];
}

/** Measures a step on logs of several lengths: with the whole log, and with an assembler that has read the log before. */
export function measureAssembly({ toMessages, createAssembler }: Build, rounds: number): AssemblyRow[] {
  const names = createAssembler ? [assemblyNames.whole, assemblyNames.grown] : [assemblyNames.whole];
  const rows = names.flatMap((name) => logLengths.map((events): AssemblyRow => ({ name, events, times: [] })));
  for (let round = -warmup; round < rounds; round++) {
    for (const { name, events, times } of rows) {
      const time =
        name === assemblyNames.grown && createAssembler
          ? stepOfAssembler(createAssembler, events)
          : stepOfWholeLog(toMessages, events);
      if (round >= 0) times.push(time);
    }
  }
  return rows;
}

export const assemblyNames = { whole: "toMessages", grown: "createAssembler" };

export const logLengths = [10, 1000, 10_000];

const form = "json";
const warmup = 2;
const stepsTimed = 1000;

function stepOfWholeLog(toMessages: Build["toMessages"], length: number): number {
  const log = logOf(length);
  const logs = Array.from({ length: Math.max(5, stepsTimed / length) }, (_, i) => [...log, ...stepOf(length + i)]);
  return timed(logs.length, () => logs.map((log) => toMessages(log, { form }).length));
}

function stepOfAssembler(createAssembler: NonNullable<Build["createAssembler"]>, length: number): number {
  const log = logOf(length);
  // Each assembler reads few steps, so that its log hardly grows while it is measured.
  const steps = Array.from({ length: Math.max(1, length / 500) }, (_, i) => stepOf(length + i));
  const assemblers = Array.from({ length: stepsTimed / steps.length }, () => {
    const assembler = createAssembler({ form });
    assembler.write(log);
    return assembler;
  });
  return timed(stepsTimed, () =>
    assemblers.map((assembler) =>
      steps.map((step) => {
        assembler.write(step);
        return assembler.messages().length;
      }),
    ),
  );
}

/** Microseconds of CPU time for each of the `count` steps that `run` makes. */
function timed(count: number, run: () => unknown): number {
  globalThis.gc?.({ type: "minor" });
  const start = cpuTime();
  held[0] = run();
  return ((cpuTime() - start) * 1000) / count;
}

/** The last result: the engine would leave out work that has none. */
const held: unknown[] = [];

/** A prompt, and steps with `length` events together. */
function logOf(length: number): LogEvent[] {
  const steps = Array.from({ length: length / 10 }, (_, i) => stepOf(i));
  return [{ type: "user", content: "Find out why the tests fail, and mend them.", timestamp: 0 }, ...steps.flat()];
}

/** The ten events of a step with two calls, each with a result of a thousand characters. */
function stepOf(number: number): LogEvent[] {
  const ids = [`call_${number}_a`, `call_${number}_b`];
  const content = `${number} const value = await store.load({ "key": 1 });\n`.repeat(20);
  const result = { tool: "read", status: "success" as const, content };
  const usage = { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 1 };
  const events: object[] = [
    { type: "think", content: `Thought ${number}: the failure is in a file that I have not read.` },
    { type: "respond", content: `I read two files (${number}).` },
    ...ids.map((id) => ({ type: "call", content: `{"name":"read","args":{"file":"src/${id}.ts"}}`, id })),
    ...ids.map((id) => ({ type: "record", kind: "started", data: { id } })),
    ...ids.map((id) => ({ type: "record", kind: "finished", data: { id, result } })),
    {
      type: "result",
      content: JSON.stringify([result, result]),
      payload: { tools_executed: 2, success_count: 2, failure_count: 0 },
    },
    { type: "record", kind: "usage", data: usage },
  ];
  return events.map((event, i) => ({ ...event, timestamp: number + i / 10 }) as LogEvent);
}
