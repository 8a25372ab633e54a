import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";

/** Another process of this version of Node, until the test has finished. */
export function startNode(args: readonly string[], output: "inherit" | "pipe"): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ["ignore", output, "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
