import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** The variable by which the processes of a measurement are known, wherever they go. */
export const markName = "COGENCY_PEERS_MARK";

/** A process as /proc shows it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** The name of its program, at most 15 characters of it. */
  readonly program: string;
  /** The words that it was started with. */
  readonly words: string;
  /** Processor time so far, in seconds. */
  readonly seconds: number;
  /** Memory that it holds now, in bytes; pages that processes share count for each. */
  readonly memory: number;
}

/** The living processes that carry a mark in their environment, and the descendants of these. */
export function markedProcesses(mark: string): Process[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const found = new Map(all.filter(({ pid }) => carries(pid, mark)).map((one) => [one.pid, one]));
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const one of all) if (found.has(one.parent)) found.set(one.pid, one);
  }
  return [...found.values()];
}

/** Those whose processes have not been ended yet. */
const marks = new Set<string>();

/** A mark that no other process has. */
export function newMark(): string {
  const mark = crypto.randomUUID();
  marks.add(mark);
  return mark;
}

/** Kills all marked processes at once, for a program that has to end now. */
export function endAll(): void {
  for (const mark of marks) for (const { pid } of markedProcesses(mark)) end(pid);
}

/** Kills the marked processes until there are none: they may start others meanwhile. */
export async function endMarked(mark: string): Promise<void> {
  for (let left = markedProcesses(mark); left.length > 0; left = markedProcesses(mark)) {
    for (const { pid } of left) end(pid);
    await setTimeout(50);
  }
  marks.delete(mark);
}

const pageSize = 4096;
const ticksPerSecond = 100;

function readProcess(pid: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name, in parentheses, may contain any character.
    const [, program = ""] = /\((.*)\)/s.exec(stat) ?? [];
    const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
    const at = (field: number) => Number(fields[field - 3]);
    if (fields[0] === "Z") return [];
    const seconds = (at(14) + at(15)) / ticksPerSecond;
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return [{ pid, parent: at(4), program, words, seconds, memory: at(24) * pageSize }];
  } catch {
    return []; // The process has ended in the meantime.
  }
}

function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${markName}=${mark}`);
  } catch {
    return false; // It has ended, or is another user's.
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended in the meantime.
  }
}
