import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { print } from "./throughput.ts";
import type { Verdict } from "./verdict.ts";

const contenders = ["hand loop", "pump", "ours", "@openai/agents", "ai"] as const;

export type ParkedContender = (typeof contenders)[number];

const runs = 1000;
/** The heap of so many is measured, and multiplied, where more take too long. */
const fewer: Partial<Record<ParkedContender, number>> = { ai: 100 };

/** Heap that 1,000 runs of one agent hold in the middle of an answer, each contender in a process of its own. */
export async function parked(): Promise<Verdict[]> {
  const rows: string[][] = [];
  let held = Number.NaN;
  for (const name of contenders) {
    const count = fewer[name] ?? runs;
    const script = fileURLToPath(new URL("parked-process.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, name, String(count)]);
    const megabytes = ((Number(stdout) / 1e6) * runs) / count;
    if (name === "ours") held = megabytes;
    rows.push([name, `${megabytes.toFixed(1)} MB`, count === runs ? "" : `from ${count} runs`]);
  }
  print("1,000 runs of one agent, in memory, parked after 125 of 250 deltas of an answer", [["", "heap", ""], ...rows]);
  return [{ what: "1,000 parked runs", value: held, most: 18, unit: "MB" }];
}
