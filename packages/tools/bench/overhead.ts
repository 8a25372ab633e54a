import type { JsonSchema, ToolCall } from "@cogency/protocol";
import { type Contender, type Measurement, measure, median } from "@tooling/bench";
import * as z from "zod";
import type { Journal } from "../src/host.ts";
import { createExecutor, createRegistry, defineTool, type ExecutorOptions, type ToolInput } from "../src/index.ts";
import { type Report, significant, verdict } from "./report.ts";

const sizes = [1, 10, 100, 1000, 10_000];
/** Microseconds of CPU time a call, above the bare function. */
const most = 10;
/**
 * How much more a call may cost among ten times as many, as a multiple of what it costs bare promises: with so many
 * alive at once the young generation is copied more often, whoever made them.
 */
const mostGrowth = 1.5;

const jsonSchema: JsonSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const journal: Journal = { question() {}, approval: () => {}, started: async () => {}, finished: async () => {} };

interface Variant {
  name: string;
  input: ToolInput;
  options?: Omit<ExecutorOptions, "registry">;
  journal?: Journal;
}

/** The first is what the targets speak of. */
const variants: Variant[] = [
  { name: "JSON Schema", input: jsonSchema },
  { name: "zod", input: z.object({ n: z.int() }) },
  {
    name: "JSON Schema, a hook before and after",
    input: jsonSchema,
    options: { hooks: [{ name: "none", beforeToolUse: () => undefined, afterToolUse: () => undefined }] },
  },
  { name: "JSON Schema, a policy that allows", input: jsonSchema, options: { approval: { policy: () => "allow" } } },
  { name: "JSON Schema, a journal", input: jsonSchema, journal },
];

/** The same function, bare and as a tool: CPU time a call on top, by the size of the batch. */
export async function overhead(): Promise<Report> {
  const costs = variants.map((): number[] => []);
  const floors: number[] = [];
  for (const size of sizes) {
    const calls = Array.from({ length: size }, (_, n): ToolCall => ({ name: "noop", args: { n } }));
    const contenders = [bare(calls), ...variants.map((variant) => executed(variant, calls))];
    const [floor, ...measurements] = await measure(contenders, { rounds: 7 });
    floors.push(median(floor?.times ?? []) / size);
    for (const [index, measurement] of measurements.entries()) costs[index]?.push(onTop(measurement, floor, size));
  }
  const first = costs[0] ?? [];
  const growth = growthOf(first);
  const floorGrowth = growthOf(floors);
  return {
    title: "no-op calls: µs of CPU time a call, above Promise.allSettled over the same async functions",
    rows: [
      ["calls in the batch", ...sizes.map((size) => size.toLocaleString("en-US"))],
      ...variants.map(({ name }, index) => [name, ...(costs[index] ?? []).map(significant)]),
      ["asked of the first", ...first.map((cost) => verdict(cost, "≤", most))],
      [],
      ["a call among 10,000 ÷ among 1,000", significant(growth)],
      ["the same of Promise.allSettled", significant(floorGrowth)],
      ["growth ÷ growth", significant(growth / floorGrowth), verdict(growth / floorGrowth, "≤", mostGrowth)],
    ],
  };
}

/** From 1,000 to 10,000. */
function growthOf(costs: readonly number[]): number {
  return (costs[4] ?? Number.NaN) / (costs[3] ?? Number.NaN);
}

async function noop({ n }: { n: number }): Promise<number> {
  return n;
}

function bare(calls: readonly ToolCall[]): Contender {
  const args = calls.map((call) => call.args as { n: number });
  return { name: "Promise.allSettled", floor: true, run: () => Promise.allSettled(args.map(noop)) };
}

function executed({ name, input, options, journal }: Variant, calls: readonly ToolCall[]): Contender {
  const tool = defineTool({
    name: "noop",
    description: "Gives n",
    input,
    execute: (args) => noop(args as { n: number }),
  });
  const executor = createExecutor({ registry: createRegistry([tool]), ...options });
  return { name, run: () => executor.run(calls, { conversation: "bench", journal }) };
}

/** Round by round, so that a slow spell changes little. */
function onTop({ times }: Measurement, floor: Measurement | undefined, size: number): number {
  const differences = times.map((time, round) => time - (floor?.times[round] ?? Number.NaN));
  return (median(differences) / size) * 1000;
}
