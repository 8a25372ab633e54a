import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Kills a process and all its descendants, also those in another session or process group. */
export function endTree(root: number): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(root), "/t", "/f"]);
    return;
  }
  // A stopped process starts no other. Once a round finds no new process, the tree is complete.
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

/** Reads /proc, as `ps` does, because small Linux images lack `ps`. */
function processesOfProc(): Process[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The program's name, in parentheses, may contain any character.
      const [, parent] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return [{ pid: Number(name), parent: Number(parent) }];
    } catch {
      return []; // The process has ended in the meantime.
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
    // The process has ended in the meantime.
  }
}
