import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** Runs a script of this folder in its own process. */
export interface RunningProcess {
  /** The lines that it prints. */
  lines: AsyncIterableIterator<string>;
  /** The exit code or the signal that ended it, and its output on stderr. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; complaint: string }>;
  kill(signal: NodeJS.Signals): void;
}

export function runProcess(script: string, ...parameters: string[]): RunningProcess {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [file, ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  return {
    lines: createInterface(child.stdout)[Symbol.asyncIterator](),
    ended: ending(child),
    kill: (signal) => void child.kill(signal),
  };
}

async function ending(child: ChildProcessByStdio<null, Readable, Readable>): ReturnType<() => RunningProcess["ended"]> {
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal, complaint };
}
