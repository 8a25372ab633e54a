import { type ChildProcess, spawn } from "node:child_process";
import { type Duplex, Readable, type Writable } from "node:stream";
import { settlesWithin } from "@cogency/async";
import type { SetAside } from "../../sandbox/obeyed/kept-places.ts";
import { type Captured, createCapture } from "./capture.ts";
import { endGroup, endTree } from "./end-tree.ts";
import { endWithOwner, startWatching } from "./end-with-owner.ts";
import { withoutInherited } from "./inherited-descriptors.ts";
import { createLiveOutput, type LiveOutput } from "./live-output.ts";

/** A program to start, without a shell. */
export interface Launch {
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** For the descriptors from 3 on: bytes to write, a promise of bytes, or a function that gets the pipe. */
  inputs?: readonly Input[] | undefined;
  /** The number of further descriptors, from which reports are read. */
  reports?: number | undefined;
}

type Input = Uint8Array | Promise<Uint8Array> | ((pipe: Duplex) => void);

export interface CommandOptions {
  /** Milliseconds, at most 2^31 - 1. */
  timeout: number;
  /** Milliseconds between TERM and KILL. */
  killAfter: number;
  /** Bytes of each stream that the result shows. */
  maxOutputBytes: number;
  /** Bytes of each stream that are kept beyond it; defaults to `maxOutputBytes`. */
  maxKeptBytes?: number | undefined;
  signal: AbortSignal;
  onOutput(output: LiveOutput): void;
  /** What it reads from stdin; defaults to nothing. */
  stdin?: Uint8Array | undefined;
  /** Whether it has the stdin, stdout and stderr of this process, of which nothing is kept. */
  inherits?: true | undefined;
  /** Called when the program has started. */
  onStart?: (() => void) | undefined;
  /** Gets everything that it prints, as it arrives. */
  onChunk?: ((stream: LiveOutput["stream"], chunk: Uint8Array) => void) | undefined;
  /** Ends the program with all processes that it started; defaults to ending its group and its descendants. */
  ending?: CommandEnding | undefined;
}

/** Ends a program and the processes that belong to it. */
export interface CommandEnding {
  /** Called with each report. @param report number of its descriptor, counted from 0 */
  onReport(report: number, text: string): void;
  /** Ends the program with all processes that it started: TERM, and KILL when `gone` settles or after `killAfter`. */
  end(leader: number, gone: Promise<unknown>, killAfter: number): Promise<void>;
  /** Ends the processes that a program left running when it exited. */
  sweep(leader: number): Promise<void> | void;
}

/** How a command ended, and what it printed. */
export type CommandEnd = {
  end: "exited" | "timeout" | "aborted";
  /** Null if a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: Captured;
  stderr: Captured;
  /** What a command in a sandbox made and nothing outside obeys any more. */
  aside?: readonly SetAside[];
};

/**
 * Runs a program in a session and process group of its own. Resolves at most 200 ms after it has exited: processes that it
 * left running are killed, and pipes that others may hold are released. Its group ends with this process, also when that is killed.
 *
 * @throws the system's error if the program cannot be started
 */
export async function runCommand(launch: Launch, options: CommandOptions): Promise<CommandEnd> {
  const { timeout, killAfter, signal, stdin, inherits, ending = byDescent } = options;
  const { file, args, cwd, env, inputs = [], reports = 0 } = launch;
  const extra = Array.from({ length: inputs.length + reports }, () => "pipe" as const);
  startWatching();
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: withoutInherited([
      ...(inherits ? [0, 1, 2] : ([stdin ? "pipe" : "ignore", "pipe", "pipe"] as const)),
      ...extra,
    ]),
    detached: true,
    windowsHide: true,
  });
  const exited = exitOf(child);
  // Before it gets its inputs: bubblewrap waits for them, so it makes nothing yet.
  const outlived = child.pid === undefined ? () => {} : endWithOwner(child.pid);
  const [given, out, err, ...rest] = child.stdio as unknown as [Writable | null, Output, Output, ...Duplex[]];
  const pipes = rest.slice(0, extra.length);
  const stdout = collect("stdout", out, options);
  const stderr = collect("stderr", err, options);
  // The program may end before it has read everything.
  given?.on("error", () => {}).end(stdin);
  exchangeOver(pipes, inputs, ending);
  child.once("spawn", () => options.onStart?.());
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
    outlived();
    given?.destroy();
    stdout.release();
    stderr.release();
    for (const [at, pipe] of pipes.entries()) closeWith(child, pipe, inputs[at]);
    child.unref();
  }
}

type Output = Readable | null;

/** Milliseconds to wait for the pipes of a program that has exited, and again after its group was killed. */
const pipeGrace = 100;

const byDescent: CommandEnding = { onReport() {}, end: endTree, sweep: endGroup };

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", () => resolve());
    child.on("error", reject);
  });
}

/** A program that waits for an input would read the end of the pipe as that input, so the pipe closes after the program ended. */
function closeWith(child: ChildProcess, pipe: Duplex, input: Input | undefined): void {
  const isGone = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  if (isGone || !(input instanceof Promise)) pipe.destroy();
  else child.once("exit", () => pipe.destroy());
}

function exchangeOver(pipes: readonly Duplex[], inputs: readonly Input[], ending: CommandEnding): void {
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
    else pipe.setEncoding("utf8").on("data", (text: string) => ending.onReport(at - inputs.length, text));
  }
}

function collect(
  name: LiveOutput["stream"],
  output: Output,
  {
    maxOutputBytes,
    maxKeptBytes,
    onOutput,
    onChunk,
  }: Pick<CommandOptions, "maxOutputBytes" | "maxKeptBytes" | "onOutput" | "onChunk">,
) {
  const stream = output ?? Readable.from([]);
  const capture = createCapture(maxOutputBytes, maxKeptBytes);
  const live = createLiveOutput(name, onOutput);
  stream.on("data", (chunk: Uint8Array) => {
    capture.add(chunk);
    live.add(chunk);
    onChunk?.(name, chunk);
  });
  // A broken pipe counts as closed.
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
export async function firstEnd(
  exited: Promise<void>,
  timeout: number,
  signal: AbortSignal,
): Promise<CommandEnd["end"]> {
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
