import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import { settlesWithin } from "@cogency/async";
import { type Captured, createCapture } from "./capture.ts";
import { endGroup, endTree } from "./end-tree.ts";
import { withoutInherited } from "./inherited-descriptors.ts";
import { createLiveOutput, type LiveOutput } from "./live-output.ts";

/** A program as it is started: without a shell, with nothing to read from. */
export interface Launch {
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** What to write to the descriptors from 3 on, at once or when it is known, or what to connect to them. */
  inputs?: readonly Input[] | undefined;
  /** How many descriptors after those to read from. */
  reports?: number | undefined;
}

type Input = Uint8Array | Promise<Uint8Array> | ((pipe: Duplex) => void);

export interface RunOptions {
  /** Milliseconds, at most 2^31 - 1. */
  timeout: number;
  /** Milliseconds between TERM and KILL. */
  killAfter: number;
  /** Bytes kept of each stream. */
  maxOutputBytes: number;
  signal: AbortSignal;
  onOutput(output: LiveOutput): void;
  /** How the program is ended, with all that it has started; by group and by descent when absent. */
  ending?: Ending | undefined;
}

/** Knows what belongs to a program. */
export interface Ending {
  /** A report came, on one of the descriptors to read from, counted from 0. */
  heard(report: number, text: string): void;
  /** Ends the program with all that it has started: TERM, and KILL when `gone` settles or `killAfter` is over. */
  end(leader: number, gone: Promise<unknown>, killAfter: number): Promise<void>;
  /** Ends what a program that has exited left running. */
  sweep(leader: number): Promise<void> | void;
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
 * Runs a program in a session and process group of its own. Resolves at the latest a fifth of a second after it has
 * exited: what it left running is killed, and the pipes that others may still hold are released.
 *
 * @throws the system's error when it cannot be started
 */
export async function runCommand(launch: Launch, options: RunOptions): Promise<CommandEnd> {
  const { timeout, killAfter, maxOutputBytes, signal, onOutput, ending = byDescent } = options;
  const { file, args, cwd, env, inputs = [], reports = 0 } = launch;
  const extra = Array.from({ length: inputs.length + reports }, () => "pipe" as const);
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: withoutInherited(["ignore", "pipe", "pipe", ...extra]),
    detached: true,
    windowsHide: true,
  });
  const exited = exitOf(child);
  const [, out, err, ...rest] = child.stdio as unknown as [null, Readable, Readable, ...Duplex[]];
  const pipes = rest.slice(0, extra.length);
  const stdout = collect("stdout", out, maxOutputBytes, onOutput);
  const stderr = collect("stderr", err, maxOutputBytes, onOutput);
  exchangeOver(pipes, inputs, ending);
  try {
    const end = await firstEnd(exited, timeout, signal);
    const closed = Promise.allSettled([exited, stdout.closed, stderr.closed]);
    if (child.pid !== undefined) {
      if (end !== "exited") await ending.end(child.pid, closed, killAfter);
      await settlesWithin(closed, pipeGrace);
      await ending.sweep(child.pid);
      await settlesWithin(closed, pipeGrace);
    }
    const { exitCode, signalCode } = child;
    return { end, exitCode, signal: signalCode, stdout: stdout.capture.read(), stderr: stderr.capture.read() };
  } finally {
    stdout.release();
    stderr.release();
    for (const [at, pipe] of pipes.entries()) closeWith(child, pipe, inputs[at]);
    child.unref();
  }
}

/** Milliseconds that the pipes of a program that has exited are waited for, and once more when its group is killed. */
const pipeGrace = 100;

const byDescent: Ending = { heard() {}, end: endTree, sweep: endGroup };

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", () => resolve());
    child.on("error", reject);
  });
}

/** A program that still waits for an input must not take the end of the pipe for one: it has to be gone before. */
function closeWith(child: ChildProcess, pipe: Duplex, input: Input | undefined): void {
  const isGone = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  if (isGone || !(input instanceof Promise)) pipe.destroy();
  else child.once("exit", () => pipe.destroy());
}

function exchangeOver(pipes: readonly Duplex[], inputs: readonly Input[], ending: Ending): void {
  for (const [at, pipe] of pipes.entries()) {
    // The program may end before it has read everything.
    pipe.on("error", () => {});
    const input = inputs[at];
    if (typeof input === "function") input(pipe);
    else if (input instanceof Promise)
      input.then(
        (bytes) => pipe.end(bytes),
        () => {},
      );
    else if (input) pipe.end(input);
    else pipe.setEncoding("utf8").on("data", (text: string) => ending.heard(at - inputs.length, text));
  }
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
