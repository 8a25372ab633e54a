import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";

// How long the command takes to start, beside a Node that does nothing: medians of wall time and, on Linux, of CPU time, in
// milliseconds and as multiples of that Node. The commands run in turn, so that a machine whose speed drifts slows all of them.
// Of the chat, the wall time until its first frame, beside a Node that writes a word in the same pseudo-terminal.

const rounds = 15;
const bin = join(import.meta.dirname, "../bin/cogency.cjs");
const home = mkdtempSync(join(tmpdir(), "cogency-start-"));
const commands: Record<string, string[]> = {
  "bare Node": ["-e", "0"],
  // The first one: it makes the store that the others read.
  "run, offline model": [bin, "run", "--provider", "offline", "--sandbox", "off", "hello"],
  "--version": [bin, "--version"],
  "--help": [bin, "--help"],
  "history list": [bin, "history", "list"],
  "completion, commands": [bin, "_complete", "--", "h"],
  "completion, models": [bin, "_complete", "--", "run", "--model", "g"],
  "completion, names": [bin, "_complete", "--", "history", "show", ""],
};

/** What gives a command a terminal. */
const script = ["/usr/bin/script", "/bin/script"].find(existsSync);
const painters = {
  node: { args: ["-e", 'process.stdout.write("ready")'], shows: /ready/, leave: "" },
  chat: { args: [bin, "chat", "--provider", "offline", "--sandbox", "off"], shows: /\/help shows/, leave: "/quit\r" },
};

interface Time {
  wall: number;
  cpu: number;
}

try {
  const times = new Map<string, Time[]>(Object.keys(commands).map((name) => [name, []]));
  // The first round fills the compile cache.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, args] of Object.entries(commands)) {
      const time = timeOf(args);
      if (round > 0) times.get(name)?.push(time);
    }
  }
  const paints = new Map<string, number[]>(Object.keys(painters).map((name) => [name, []]));
  for (let round = 0; script !== undefined && round <= rounds; round++) {
    for (const [name, { args, shows, leave }] of Object.entries(painters)) {
      const wall = await paintOf(script, args, shows, leave);
      if (round > 0) paints.get(name)?.push(wall);
    }
  }
  const floor = medians(times.get("bare Node") ?? []);
  console.log(`${"".padEnd(22)}${"wall ms".padStart(9)}${"×".padStart(7)}${"CPU ms".padStart(9)}${"×".padStart(7)}`);
  for (const [name, all] of times) {
    const { wall, cpu } = medians(all);
    const cells = [wall, wall / floor.wall, cpu, cpu / floor.cpu];
    console.log(
      name.padEnd(22) +
        cells.map((cell, at) => cell.toFixed(at % 2 === 0 ? 0 : 2).padStart(at % 2 === 0 ? 9 : 7)).join(""),
    );
  }
  const [bare, chat] = [...paints.values()].map(median);
  if (script === undefined) console.log("first frame: not measured, since script is not installed");
  else
    for (const [name, wall] of [
      ["Node, one word in a terminal", bare],
      ["chat, first frame", chat],
    ] as const)
      console.log(`${name.padEnd(28)}${wall?.toFixed(0).padStart(6)} ms ${((wall ?? 0) / (bare ?? 1)).toFixed(2)} ×`);
  console.log(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")}`,
  );
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

/** Milliseconds from the start in a pseudo-terminal until it shows something. The command then gets what makes it leave. */
async function paintOf(program: string, args: readonly string[], shows: RegExp, leave: string): Promise<number> {
  const { PATH } = process.env;
  const line = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
  const startedAt = performance.now();
  const child = spawn(program, ["-qefc", line, "/dev/null"], {
    cwd: home,
    env: { PATH, HOME: home, TERM: "xterm-256color", SHELL: "/bin/sh" },
  });
  let wall: number | undefined;
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (wall !== undefined || !shows.test(output)) return;
    wall = performance.now() - startedAt;
    child.stdin.write(leave);
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0 || wall === undefined) throw new Error(`${line} ended with ${code}: ${output}`);
  return wall;
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

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function medians(times: readonly Time[]): Time {
  return { wall: median(times.map(({ wall }) => wall)), cpu: median(times.map(({ cpu }) => cpu)) };
}
