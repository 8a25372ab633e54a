import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Durability } from "../../src/open-database.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { type Step, stepsOf, tracedCalls } from "./steps.ts";

export interface TracedWriter {
  /** An empty folder for the store of the writer. */
  folder: string;
  /** The file of the trace. */
  trace: string;
  name: string;
  seed: number;
  durability: Durability;
}

/** Lets a writer of crash/worker.ts work until it has made `reports` reports. Returns its steps up to the last one. */
export async function traceWriter(
  { folder, trace, name, seed, durability }: TracedWriter,
  reports: number,
): Promise<Step[]> {
  const worker = fileURLToPath(new URL("../crash/worker.ts", import.meta.url));
  const options = ["-f", "-qq", "-y", "-xx", "-s", "100000000", "-e", "signal=none", "-e", `trace=${tracedCalls}`];
  const parameters = [join(folder, "store.db"), name, "t", String(seed), durability];
  const child = spawn("strace", [...options, "-o", trace, process.execPath, worker, ...parameters], {
    stdio: ["ignore", "pipe", "ignore"],
    env: childEnvironment,
  });
  const closed = once(child, "close");
  let count = 0;
  for await (const _ of createInterface(child.stdout)) if (++count === reports) break;
  // The next report ends the writer.
  child.stdout.destroy();
  await closed;
  const steps = stepsOf(readFileSync(trace, "utf8"), folder);
  const places = steps.flatMap(({ kind }, index) => (kind === "report" ? index : []));
  const last = places[reports - 1];
  if (last === undefined) throw new Error(`The writer made ${places.length} reports of ${reports}.`);
  return steps.slice(0, last + 1);
}
