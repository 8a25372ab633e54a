import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { settlesWithin } from "@cogency/async";

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** A program in a process group of its own, which ends with this process, also when that is killed. */
export interface RunningProgram {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has exited and its output is read, with how: `exit code 1`. Never rejects. */
  readonly ended: Promise<string>;
  /** Closes its stdin, then sends TERM, then KILL, with a grace between. Resolves when it is gone, or after the graces. */
  end(): Promise<void>;
}

/** @throws the system's error if it cannot be started */
export async function runProgram(launch: Launch): Promise<RunningProgram> {
  const child = started(launch);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  child.on("error", () => {});
  const [stdin, stdout, stderr, owner] = child.stdio as unknown as [Writable, Readable, Readable, Readable | undefined];
  for (const pipe of [stdin, stdout, stderr, owner]) pipe?.on("error", () => {});
  owner?.resume();
  const exited = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  const closed = new Promise<void>((resolve) => void child.once("close", () => resolve()));

  async function afterExit(): Promise<string> {
    await exited;
    // Processes that it has left running may hold its pipes.
    signalGroup(child, "SIGKILL");
    await settlesWithin(closed, pipeGrace);
    for (const pipe of [stdin, stdout, stderr, owner]) pipe?.destroy();
    return child.signalCode ?? `exit code ${child.exitCode}`;
  }
  const ended = afterExit();

  return {
    pid: child.pid,
    stdin,
    stdout,
    stderr,
    ended,
    async end() {
      stdin.end();
      if (await settlesWithin(exited, stdinGrace)) return void (await ended);
      signalGroup(child, "SIGTERM");
      if (await settlesWithin(exited, termGrace)) return void (await ended);
      signalGroup(child, "SIGKILL");
      await settlesWithin(ended, killGrace);
    },
  };
}

/** Milliseconds: from the end of its stdin to TERM, from TERM to KILL, and for what hangs in the kernel. */
const stdinGrace = 500;
const termGrace = 1000;
const killGrace = 1000;
const pipeGrace = 200;

function started({ command, args, cwd, env }: Launch): ChildProcess {
  const options = { cwd, env: { ...env }, windowsHide: true };
  if (process.platform === "win32") return spawn(command, [...args], { ...options, stdio: ["pipe", "pipe", "pipe"] });
  return spawn("/bin/sh", ["-c", keeper, "sh", command, ...args], {
    ...options,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
}

/**
 * A process in the group of the program waits for the end of a pipe that this process holds, and then kills the group: a program that does
 * not notice the end of its stdin would outlive a host that was killed. `$$` is the shell and then the program, which takes its place.
 */
const keeper = `({ read -r cogency_end <&3; kill -9 -$$; } </dev/null >/dev/null 2>&1 &); exec "$@" 3<&-`;

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All of the group have ended.
  }
}
