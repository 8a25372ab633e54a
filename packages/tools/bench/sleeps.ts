import { setTimeout as sleep } from "node:timers/promises";
import type { ToolCall } from "@cogency/protocol";
import { median } from "@tooling/bench";
import { createExecutor, createRegistry, defineTool } from "../src/index.ts";
import { type Report, significant, verdict } from "./report.ts";

const milliseconds = 200;
const calls = 200;
const rounds = 7;
/** How much longer than one sleep the batch may take. */
const most = 1.05;

/** Whether calls of a batch really run side by side, by the clock. */
export async function sleeps(): Promise<Report> {
  const tool = defineTool({
    name: "sleep",
    description: "Waits",
    input: { type: "object" },
    execute: () => sleep(milliseconds),
  });
  const executor = createExecutor({ registry: createRegistry([tool]) });
  const batch = Array.from({ length: calls }, (): ToolCall => ({ name: "sleep", args: {} }));
  const one: number[] = [];
  const many: number[] = [];
  await executor.run(batch, { conversation: "warm-up" });
  for (let round = 0; round < rounds; round++) {
    one.push(await elapsed(() => sleep(milliseconds)));
    many.push(await elapsed(() => executor.run(batch, { conversation: "bench" })));
  }
  const ratio = median(many) / median(one);
  return {
    title: `${calls} calls that wait ${milliseconds} ms, by the clock`,
    rows: [
      ["one sleep", `${significant(median(one))} ms`],
      ["the batch", `${significant(median(many))} ms`],
      ["batch ÷ sleep", ratio.toFixed(3), verdict(ratio, "≤", most)],
    ],
  };
}

async function elapsed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
