import { setTimeout as sleep } from "node:timers/promises";
import type { ToolCall } from "@cogency/protocol";
import { median } from "@tooling/bench";
import { createExecutor, createRegistry, defineTool } from "../src/index.ts";
import { type Report, significant, verdict } from "./report.ts";

/** A block of one slow call and some quick ones, and a model that takes this long to write each of them. */
const durations = [400, 10, 10, 10, 10];
const writing = 80;
const rounds = 5;
/** How much of what can be saved, the time in which the model writes the rest of the block, is saved at least. */
const least = 0.9;

/** From the moment a model has written the first call to the results of its block, with and without early start. */
export async function earlyStart(): Promise<Report> {
  const without: number[] = [];
  const early: number[] = [];
  for (let round = 0; round < rounds; round++) {
    without.push(await block(false));
    early.push(await block(true));
  }
  const saved = median(without) - median(early);
  const rest = writing * (durations.length - 1);
  return {
    title: `a block of ${durations.length} read-only calls, one written every ${writing} ms, the first takes ${durations[0]} ms, by the clock`,
    rows: [
      ["without early start", `${significant(median(without))} ms`],
      ["with early start", `${significant(median(early))} ms`],
      ["saved", `${significant(saved)} ms`],
      ["saved ÷ the time in which the rest is written", significant(saved / rest), verdict(saved / rest, "≥", least)],
    ],
  };
}

async function block(earlyStart: boolean): Promise<number> {
  const tool = defineTool({
    name: "wait",
    description: "Waits",
    input: { type: "object", properties: { duration: { type: "number" } }, required: ["duration"] },
    annotations: { readOnlyHint: true },
    execute: ({ duration }) => sleep(duration),
  });
  const batch = createExecutor({ registry: createRegistry([tool]), earlyStart }).open({ conversation: "bench" });
  const start = performance.now();
  for await (const call of model()) batch.add(call);
  await batch.run();
  return performance.now() - start;
}

/** Announces a call as soon as it is written. */
async function* model(): AsyncGenerator<ToolCall> {
  for (const [index, duration] of durations.entries()) {
    if (index > 0) await sleep(writing);
    yield { name: "wait", args: { duration } };
  }
}
