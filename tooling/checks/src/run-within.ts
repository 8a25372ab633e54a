import { spawn } from "node:child_process";
import type { Command } from "@tooling/turbo";
import { endTree } from "./process-tree.ts";

/**
 * Runs a command with the input and output of this process. After `limit` milliseconds it is killed with all its
 * descendants.
 */
export async function runWithin(
  { file, args, cwd, env }: Command,
  limit: number,
): Promise<{ exitCode: number; isOverdue: boolean }> {
  const child = spawn(file, args, { cwd, env, stdio: "inherit" });
  let isOverdue = false;
  const timer = setTimeout(() => {
    isOverdue = true;
    if (child.pid !== undefined) endTree(child.pid);
  }, limit);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject).once("exit", resolve);
    });
    return { exitCode: code ?? 1, isOverdue };
  } finally {
    clearTimeout(timer);
  }
}
