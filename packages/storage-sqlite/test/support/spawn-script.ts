import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { childEnvironment } from "./child-environment.ts";

/** Runs a script of this folder in another process, which is killed when the running test ends. */
export function spawnScript(script: string, ...parameters: string[]): ChildProcessByStdio<Writable, Readable, null> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [file, ...parameters], {
    stdio: ["pipe", "pipe", "inherit"],
    env: childEnvironment,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
