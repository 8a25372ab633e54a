import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { endGroup } from "./end-tree.ts";
import { withoutInherited } from "./inherited-descriptors.ts";

/**
 * Kills the group of a program when this process ends in whatever way, also when it is killed: one process for all programs waits for
 * the end of a pipe that this process holds. Processes that the program has started in sessions of their own outlive it.
 *
 * A sandbox ends with this process by itself, except while it is made: bubblewrap that is killed then leaves a process that waits for it
 * for ever.
 *
 * @param leader the pid of a process that leads a group
 * @returns a function to call when the program has ended
 */
export function endWithOwner(leader: number): () => void {
  if (leaders.size === 0) process.on("exit", endAll);
  startWatching();
  leaders.add(leader);
  watcher?.write(`+ ${leader}\n`);
  return () => {
    leaders.delete(leader);
    watcher?.write(`- ${leader}\n`);
    if (leaders.size === 0) process.off("exit", endAll);
  };
}

/** Starts what `endWithOwner` needs. Call it while something else is waited for, so that the program need not wait. */
export function startWatching(): void {
  watcher ??= startWatcher();
}

/** Lets a program that leads a group end with this process. @returns a function that kills its whole group */
export function ownedGroup({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => {};
  const isOver = endWithOwner(pid);
  return () => {
    endGroup(pid);
    isOver();
  };
}

const leaders = new Set<number>();
let watcher: Socket | undefined;

/** The watcher would do it, too, a little later. */
function endAll(): void {
  for (const leader of leaders) endGroup(leader);
}

/** Reads which groups there are, and kills those that are left at the end. It is in a session of its own, where no signal of a terminal ends it. */
const script = `left=" "
while read -r sign leader; do
  case $sign in
  +) left="$left$leader " ;;
  -) case $left in *" $leader "*) left="\${left%%" $leader "*} \${left#*" $leader "}" ;; esac ;;
  esac
done
for leader in $left; do kill -9 "-$leader"; done`;

/** Undefined where there is no such shell. */
function startWatcher(): Socket | undefined {
  if (process.platform === "win32") return undefined;
  const child = spawn("/bin/sh", ["-c", script], {
    cwd: "/",
    env: {},
    stdio: withoutInherited(["pipe", "ignore", "ignore"]),
    detached: true,
  });
  const stdin = child.stdin as Socket | null;
  const gone = () => {
    if (watcher === stdin) watcher = undefined;
  };
  child.once("error", gone).once("exit", gone).unref();
  stdin?.on("error", gone).unref();
  // One that somebody has killed is replaced by this one.
  for (const leader of leaders) stdin?.write(`+ ${leader}\n`);
  return stdin ?? undefined;
}
