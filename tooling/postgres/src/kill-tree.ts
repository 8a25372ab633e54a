import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Kills a server with all its backends, as the kernel would when memory runs out. Does nothing if it is gone. */
export function killTree(pid: number): void {
  // A postmaster that is stopped cannot start another backend behind our back.
  if (!signal(pid, "SIGSTOP")) return;
  const children = childrenOf(pid);
  for (const each of [pid, ...children]) signal(each, "SIGKILL");
}

function childrenOf(pid: number): number[] {
  try {
    return numbersIn(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
  } catch {
    const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    const pairs = table.trim().split("\n").map(numbersIn);
    return pairs.flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
  }
}

/** False if there is no such process. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function numbersIn(text: string): number[] {
  return text.trim() === "" ? [] : text.trim().split(/\s+/).map(Number);
}
