import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Ends a process and everything it started, also what moved into a session or process group of its own. */
export function endTree(root: number): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(root), "/t", "/f"]);
    return;
  }
  // What is stopped starts nothing more: when no new one turns up, the tree is complete and still hangs together.
  const tree = new Set<number>();
  for (let found = [root]; found.length > 0; found = descendantsOf(root).filter((pid) => !tree.has(pid))) {
    for (const pid of found) {
      tree.add(pid);
      send(pid, "SIGSTOP");
    }
  }
  for (const pid of tree) send(pid, "SIGKILL");
}

function descendantsOf(root: number): number[] {
  const processes = process.platform === "linux" ? processesOfProc() : processesOfPs();
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const below = (pid: number): number[] =>
    (children.get(pid) ?? []).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(root);
}

interface Process {
  pid: number;
  parent: number;
}

/** Read from where `ps` reads it, which a small Linux image does not bring along. */
function processesOfProc(): Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name of the program, in parentheses, may hold anything.
      const [, parent] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return [{ pid: Number(name), parent: Number(parent) }];
    } catch {
      return []; // It ended in the meantime.
    }
  });
}

function processesOfPs(): Process[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return Array.from(stdout.matchAll(/^\s*(\d+)\s+(\d+)/gm), ([, pid, parent]) => ({
    pid: Number(pid),
    parent: Number(parent),
  }));
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in the meantime.
  }
}
