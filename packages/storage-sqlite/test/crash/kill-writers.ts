import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../support/child-environment.ts";
import type { Random } from "../support/random.ts";
import { addReport, noWork, type Work } from "./work.ts";

/** Runs writers on one store at once and kills them all at a random moment, sometimes while they open it. */
export async function killWriters(path: string, run: string, writers: string[], random: Random): Promise<Work[]> {
  const enough = random.next() < 0.15 ? 0 : 1 + random.below(100);
  const patience = enough === 0 ? random.below(250) : random.next() * 5;
  const children = writers.map((writer) => start(path, writer, `${run}${writer}`, random.below(2 ** 31)));
  const silent = new Set(writers);
  let count = 0;
  const { promise: isEnough, resolve } = Promise.withResolvers<void>();
  if (enough === 0) resolve();
  const works = children.map((child, index) => {
    const writer = writers[index] ?? "";
    return workOf(child, writer, () => {
      silent.delete(writer);
      count++;
      if (count >= enough && silent.size === 0) resolve();
    });
  });
  // A writer that ends by itself has failed, so this does not wait for the others.
  const ends = Promise.all(works);
  await Promise.race([isEnough, ...works]);
  await setTimeout(patience);
  for (const child of children) child.kill("SIGKILL");
  return ends;
}

function start(path: string, ...parameters: (string | number)[]): ChildProcessByStdio<null, Readable, Readable> {
  const worker = fileURLToPath(new URL("worker.ts", import.meta.url));
  return spawn(process.execPath, [worker, path, ...parameters.map(String)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: childEnvironment,
  });
}

async function workOf(
  child: ChildProcessByStdio<null, Readable, Readable>,
  writer: string,
  onLine: () => void,
): Promise<Work> {
  const work = noWork(writer);
  const closed = once(child, "close");
  let complaint = "";
  child.stderr.on("data", (chunk) => (complaint += String(chunk)));
  for await (const line of createInterface(child.stdout)) {
    addReport(work, line);
    onLine();
  }
  const [, signal] = await closed;
  if (signal !== "SIGKILL") throw new Error(`Writer ${writer} failed at ${JSON.stringify(work.pending)}: ${complaint}`);
  return work;
}
