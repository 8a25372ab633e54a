import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** Milliseconds. */
export interface Time {
  readonly wall: number;
  /** NaN where the system does not say. */
  readonly cpu: number;
}

/** Where a process runs. */
interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** What gives a command a terminal; undefined where it is not installed. */
export const script = ["/usr/bin/script", "/bin/script"].find(existsSync);

/** Runs Node to its end. `said` is what it wrote to stderr. */
export function timeOf(args: readonly string[], { cwd, home }: Place): Time & { readonly said: string } {
  const before = childrenCpu();
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: "utf8",
  });
  const wall = performance.now() - startedAt;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return { wall, cpu: childrenCpu() - before, said: stderr };
}

/** The time until Node shows something in a pseudo-terminal. It then gets what makes it leave. The CPU time is that of all of it. */
export async function paintOf(
  program: string,
  args: readonly string[],
  { cwd, home }: Place,
  { shows, leave }: { readonly shows: RegExp; readonly leave: string },
): Promise<Time> {
  const line = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
  const before = childrenCpu();
  const startedAt = performance.now();
  const child = spawn(program, ["-qefc", line, "/dev/null"], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", SHELL: "/bin/sh" },
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
  return { wall, cpu: childrenCpu() - before };
}

/** Milliseconds of CPU that children have used so far, in steps of 10. */
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

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The row of a table: times, and as multiples of others. */
export function timeRow(name: string, width: number, own: Time, plain: Time): string {
  const cells = [own.wall, own.wall / plain.wall, own.cpu, own.cpu / plain.cpu];
  const shown = cells.map((cell, at) => cell.toFixed(at % 2 === 0 ? 0 : 2).padStart(at % 2 === 0 ? 9 : 7));
  return name.padEnd(width) + shown.join("");
}

export function headRow(width: number): string {
  return `${"".padEnd(width)}${"wall ms".padStart(9)}${"×".padStart(7)}${"CPU ms".padStart(9)}${"×".padStart(7)}`;
}
