import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// How long the command takes to start, beside a Node that does nothing: medians of wall time and, on Linux, of CPU time, in
// milliseconds and as multiples of that Node. The commands run in turn, so that a machine whose speed drifts slows all of them.

const rounds = 15;
const bin = join(import.meta.dirname, "../bin/cogency.cjs");
const home = mkdtempSync(join(tmpdir(), "cogency-start-"));
const commands: Record<string, string[]> = {
  "bare Node": ["-e", "0"],
  "--version": [bin, "--version"],
  "--help": [bin, "--help"],
  "run, offline model": [bin, "run", "--provider", "offline", "--sandbox", "off", "hello"],
  "history list": [bin, "history", "list"],
};

interface Time {
  wall: number;
  cpu: number;
}

try {
  const times = new Map<string, Time[]>(Object.keys(commands).map((name) => [name, []]));
  // The first round fills the compile cache and makes the store.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const time = timeOf(args);
      if (round > 0) times.get(name)?.push(time);
    }
  }
  const floor = medians(times.get("bare Node") ?? []);
  console.log(`${"".padEnd(20)}${"wall ms".padStart(9)}${"×".padStart(7)}${"CPU ms".padStart(9)}${"×".padStart(7)}`);
  for (const [name, all] of times) {
    const { wall, cpu } = medians(all);
    const cells = [wall, wall / floor.wall, cpu, cpu / floor.cpu];
    console.log(
      name.padEnd(20) +
        cells.map((cell, at) => cell.toFixed(at % 2 === 0 ? 0 : 2).padStart(at % 2 === 0 ? 9 : 7)).join(""),
    );
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

function timeOf(args: readonly string[]): Time {
  const { PATH } = process.env;
  const cpuBefore = childrenCpu();
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: home,
    env: { PATH, HOME: home },
    encoding: "utf8",
  });
  const wall = performance.now() - startedAt;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return { wall, cpu: childrenCpu() - cpuBefore };
}

/** Milliseconds of CPU that children have used so far, in steps of 10; NaN where the system does not say. */
function childrenCpu(): number {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}

function medians(times: readonly Time[]): Time {
  const median = (values: number[]) =>
    values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
  return { wall: median(times.map(({ wall }) => wall)), cpu: median(times.map(({ cpu }) => cpu)) };
}
