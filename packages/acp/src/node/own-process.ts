import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";

/** What a second process has of the first one. */
export interface OwnDescriptors {
  /** The editor's end of the messages. */
  readonly messages: Writable;
  /** Resolves when the first process has ended. */
  readonly left: Promise<void>;
}

/**
 * Runs a program for editors in a second process, so that nothing can stand between the messages: its stdout is stderr, also for what writes
 * to the descriptor itself, such as native code and the programs that it starts, and `serveOverStdio` writes to another descriptor, which
 * no program inherits. The process that the editor has started only waits, and passes signals on. If one of the two is killed, the other
 * one ends.
 *
 * Call it first, with all that the program does. On Windows, the program runs in this process.
 *
 * @param program serves by `serveOverStdio`; returns the exit code, 0 if nothing
 * @returns the exit code of the process
 */
export async function inOwnProcess(program: () => Promise<number | undefined> | Promise<void>): Promise<number> {
  if (process.platform === "win32") return (await program()) ?? 0;
  if (process.env[variable] !== mark) return startSecond();
  // No program that is started later is the second process.
  delete process.env[variable];
  own = openDescriptors();
  return (await program()) ?? 0;
}

/** Those of this process, if it is a second one. */
export function ownDescriptors(): OwnDescriptors | undefined {
  return own;
}

let own: OwnDescriptors | undefined;

async function startSecond(): Promise<number> {
  const second = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    // Its messages go to our stdout. The pipe ends when this process does, however it ends.
    stdio: [0, 2, 2, 1, "pipe"],
    env: { ...process.env, [variable]: mark },
    // A signal for the group reaches it once, by this process.
    detached: true,
  });
  const restore = passSignals((signal) => second.kill(signal));
  const [code, signal] = (await once(second, "exit").finally(restore)) as [number | null, NodeJS.Signals | null];
  // As one process would have ended.
  if (signal !== null) process.kill(process.pid, signal);
  return code ?? 1;
}

/** Signals are for the second process: nothing else here hears them meanwhile. */
function passSignals(pass: (signal: NodeJS.Signals) => void): () => void {
  const before = signals.map((signal) => [signal, process.listeners(signal)] as const);
  for (const signal of signals) process.removeAllListeners(signal).on(signal, pass);
  return () => {
    for (const [signal, listeners] of before) {
      process.off(signal, pass);
      for (const listener of listeners) process.on(signal, listener);
    }
  };
}

/** @throws Error if the process was not started as the second one */
function openDescriptors(): OwnDescriptors {
  const stat = fstatSync(3);
  const messages =
    stat.isFIFO() || stat.isSocket()
      ? new Socket({ fd: 3, readable: false, writable: true })
      : createWriteStream("", { fd: 3 });
  const first = new Socket({ fd: 4, readable: true, writable: false });
  const left = new Promise<void>((resolve) => first.once("close", () => resolve()));
  first.on("error", () => {});
  first.resume();
  first.unref();
  return { messages, left };
}

const variable = "COGENCY_ACP_PROCESS";
const mark = "second";
const signals: readonly NodeJS.Signals[] = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"];
