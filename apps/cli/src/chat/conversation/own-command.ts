import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

/** A command line that the person runs. */
export interface OwnCommand {
  readonly line: string;
  /** By the clock of `performance.now()`. */
  readonly startedAt: number;
  /** What it has printed so far, without control characters of a terminal; of more than 50,000 characters the end. */
  readonly output: string;
  /** Resolves with how its shell ended: `exit code 0`. What the shell has left running goes on. */
  readonly ended: Promise<string>;
  /** How many programs of it run. */
  left(): number;
  /** Ends it, and the programs that it started. */
  stop(): void;
  /** The same by KILL. */
  kill(): void;
}

/**
 * Runs a command line that the person typed, with the person's own shell and rights, without input.
 *
 * @param onOutput called when it has printed something, until its shell has ended
 */
export function runOwnCommand(line: string, folder: string, onOutput: () => void): OwnCommand {
  const shell = process.env.SHELL || "/bin/sh";
  let printed = "";
  // In a process group of its own, so that all of it can be stopped, and Ctrl-C in the terminal reaches the chat alone.
  const child = spawn(shell, ["-c", line], { cwd: folder, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let isOver = false;
  const read = (chunk: string) => {
    if (isOver) return;
    printed = (printed + chunk).slice(-most);
    onOutput();
  };
  child.stdout.setEncoding("utf8").on("data", read);
  child.stderr.setEncoding("utf8").on("data", read);
  const end = async () => {
    const code = await exitOf(child);
    isOver = true;
    // What goes on may go on printing: a closed pipe would end it.
    for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
    return code;
  };
  const send = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // All of it has ended.
    }
  };
  return {
    line,
    startedAt: performance.now(),
    get output() {
      return stripVTControlCharacters(printed).trimEnd();
    },
    ended: end(),
    left: () => (child.pid === undefined ? 0 : membersOf(child.pid)),
    stop: () => send("SIGTERM"),
    kill: () => send("SIGKILL"),
  };
}

/** Characters of output that are kept. */
const most = 50_000;

/** Milliseconds to wait for what a shell that has exited had printed. A program that it left running holds the pipe open. */
const pipeGrace = 100;

/** Resolves when the shell has exited and what it printed was read. */
async function exitOf(child: ReturnType<typeof spawn>): Promise<string> {
  const closed = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  const ended = await new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, by) => resolve(by ? `ended by ${by}` : `exit code ${code}`));
  });
  await Promise.race([closed, setTimeout(pipeGrace)]);
  return ended;
}

/** How many processes of a group run. Without /proc it is 1 if there is one at all. */
function membersOf(group: number): number {
  try {
    process.kill(-group, 0);
  } catch {
    return 0;
  }
  try {
    return Math.max(1, readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isMember(pid, group)).length);
  } catch {
    return 1;
  }
}

function isMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, , own] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return own === String(group) && state !== "Z";
  } catch {
    return false;
  }
}
