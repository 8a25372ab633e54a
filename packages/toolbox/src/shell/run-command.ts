import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type Captured, createCapture } from "./capture.ts";
import { endGroup, endTree } from "./end-tree.ts";
import { createLiveOutput, type LiveOutput } from "./live-output.ts";
import { within } from "./within.ts";

export interface RunOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds, at most 2^31 - 1. */
  timeout: number;
  /** Milliseconds between TERM and KILL. */
  killAfter: number;
  /** Bytes kept of each stream. */
  maxOutputBytes: number;
  signal: AbortSignal;
  onOutput(output: LiveOutput): void;
}

/** How a command came to its end, and what it had printed until then. */
export type CommandEnd = {
  end: "exited" | "timeout" | "aborted";
  /** Null when a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: Captured;
  stderr: Captured;
};

/**
 * Runs a program without a shell, in a session and process group of its own, with nothing to read from. Resolves at
 * the latest a fifth of a second after it has exited: what it left running in its group is killed, and the pipes that
 * others may still hold are released.
 *
 * @throws the system's error when it cannot be started
 */
export async function runCommand(program: string, args: readonly string[], options: RunOptions): Promise<CommandEnd> {
  const { cwd, env, timeout, killAfter, maxOutputBytes, signal, onOutput } = options;
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    windowsHide: true,
  });
  const exited = exitOf(child);
  const stdout = collect("stdout", child.stdout, maxOutputBytes, onOutput);
  const stderr = collect("stderr", child.stderr, maxOutputBytes, onOutput);
  try {
    const end = await firstEnd(exited, timeout, signal);
    const closed = Promise.allSettled([exited, stdout.closed, stderr.closed]);
    if (child.pid !== undefined) {
      if (end !== "exited") await endTree(child.pid, closed, killAfter);
      await within(closed, pipeGrace);
      endGroup(child.pid);
      await within(closed, pipeGrace);
    }
    const { exitCode, signalCode } = child;
    return { end, exitCode, signal: signalCode, stdout: stdout.capture.read(), stderr: stderr.capture.read() };
  } finally {
    stdout.release();
    stderr.release();
    child.unref();
  }
}

/** Milliseconds that the pipes of a program that has exited are waited for, and once more when its group is killed. */
const pipeGrace = 100;

function exitOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", () => resolve());
    child.on("error", reject);
  });
}

function collect(name: LiveOutput["stream"], stream: Readable, limit: number, tell: (output: LiveOutput) => void) {
  const capture = createCapture(limit);
  const live = createLiveOutput(name, tell);
  stream.on("data", (chunk: Uint8Array) => {
    capture.add(chunk);
    live.add(chunk);
  });
  // A pipe that breaks is one that has ended.
  stream.on("error", () => {});
  return {
    capture,
    closed: new Promise<void>((resolve) => stream.once("close", () => resolve())),
    release() {
      stream.destroy();
      live.end();
    },
  };
}

/** @throws what `exited` rejects with */
async function firstEnd(exited: Promise<void>, timeout: number, signal: AbortSignal): Promise<CommandEnd["end"]> {
  let stop = (_: "timeout" | "aborted") => {};
  const stopped = new Promise<"timeout" | "aborted">((resolve) => {
    stop = resolve;
  });
  const onAbort = () => stop("aborted");
  const timer = setTimeout(() => stop("timeout"), timeout);
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([exited.then(() => "exited" as const), stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
