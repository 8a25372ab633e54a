import type { ModelEvent, Provider } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { median } from "@tooling/bench";
import * as z from "zod";
import { createAgent } from "../src/index.ts";
import { print } from "./throughput.ts";
import type { Verdict } from "./verdict.ts";

const calls = 20;
const latency = 10;
/** Milliseconds above the two operations that are asked for: timers and the work itself. */
const noise = 5;

/** How soon the calls of a block run on a store to which each operation takes a while. */
export async function slowStore(rounds: number): Promise<Verdict[]> {
  const measured: Started[] = [];
  for (let round = -1; round < rounds; round++) {
    const started = await oneRun();
    if (round >= 0) measured.push(started);
  }
  const middle = (read: (started: Started) => number) => median(measured.map(read));
  const [delay, least] = [middle(({ delay }) => delay), Math.min(...measured.map(({ delay }) => delay))];
  const operations = middle(({ operations }) => operations);
  print(`${calls} parallel calls on a store with ${latency} ms an operation, ${rounds} rounds`, [
    ["", "median", "min"],
    ["from the block's end to the last start", `${delay.toFixed(1)} ms`, `${least.toFixed(1)} ms`],
    ["operations until then", operations.toFixed(0), String(Math.min(...measured.map(({ operations }) => operations)))],
    ["operations of the run", middle(({ all }) => all).toFixed(0), ""],
    ["the run", `${middle(({ run }) => run).toFixed(0)} ms`, ""],
  ]);
  return [
    { what: `${calls} calls have started after`, value: operations, most: 2, unit: "operations" },
    { what: `${calls} calls have started after`, value: delay, most: 2 * latency + noise, unit: "ms" },
  ];
}

interface Started {
  /** Milliseconds from the end of the block to the last start of a tool. */
  delay: number;
  operations: number;
  /** Operations of the whole run. */
  all: number;
  /** Milliseconds. */
  run: number;
}

async function oneRun(): Promise<Started> {
  let done = 0;
  let end = { at: 0, done: 0 };
  const starts: { at: number; done: number }[] = [];
  const block = JSON.stringify(Array.from({ length: calls }, (_, index) => ({ name: "note", args: { index } })));
  const provider: Provider = {
    name: "scripted",
    model: "scripted-1",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    async *stream({ messages }): AsyncGenerator<ModelEvent> {
      if (messages.length === 1) {
        yield { type: "text", text: `<execute>${block}</execut` };
        end = { at: performance.now(), done };
        yield { type: "text", text: "e>" };
      } else yield { type: "text", text: "Done.<end>" };
      yield { type: "usage", usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 } };
      yield { type: "finish", reason: "stop" };
    },
  };
  const note = defineTool({
    name: "note",
    description: "Note the time.",
    input: z.object({ index: z.number() }),
    annotations: { readOnlyHint: true },
    execute: () => void starts.push({ at: performance.now(), done }),
  });
  const store = delayed(memoryStore(), () => done++);
  const begun = performance.now();
  const { status } = await createAgent({ provider, tools: [note], store }).run("go", { stream: "token" }).result;
  const run = performance.now() - begun;
  if (status !== "completed" || starts.length !== calls) throw new Error(`${starts.length} calls ran; ${status}.`);
  const last = starts.at(-1) ?? { at: Number.NaN, done: Number.NaN };
  return { delay: last.at - end.at, operations: last.done - end.done, all: done, run };
}

/** The store with a latency. `count` is called when an operation is done. */
function delayed(inner: Store, count: () => void): Store {
  const later =
    <Given extends unknown[], Result>(operation: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await new Promise((resolve) => setTimeout(resolve, latency));
      const result = await operation(...given);
      count();
      return result;
    };
  return { ...inner, append: later(inner.append), load: later(inner.load), lease: later(inner.lease) };
}
