import { readdirSync, readFileSync } from "node:fs";

/**
 * The pids of all processes that a process has started, and those have; empty if it is gone, or on a system without `/proc` that has no
 * `ps`.
 *
 * Where commands run in a sandbox, no program is started for it: its name would be looked up on the PATH, where a folder of the root may
 * be, and a command could have put its own program there.
 */
export async function descendants(pid: number): Promise<number[]> {
  try {
    if (process.platform === "linux") return below(pid, childrenOfAll());
    const { pidtree } = await import("pidtree");
    return await pidtree(pid);
  } catch {
    return [];
  }
}

function below(pid: number, children: ReadonlyMap<number, readonly number[]>): number[] {
  const found: number[] = [];
  for (let next: number | undefined = pid, at = 0; next !== undefined; next = found[at++]) {
    // A pid that was reused meanwhile could lead in a circle.
    found.push(...(children.get(next) ?? []).filter((child) => child !== pid && !found.includes(child)));
  }
  return found;
}

function childrenOfAll(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

/** `pid (name) state parent …`, where the name may hold anything. Undefined if the process has ended meanwhile. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
