import { endGroup } from "./end-tree.ts";

/**
 * Kills the group of a program when this process exits in whatever way lets it run code: by `process.exit`, or by an error. A
 * sandbox ends with this process by itself, also when that is killed.
 *
 * @param leader the pid of a process that leads a group
 * @returns a function to call when the program has ended
 */
export function endWithProcess(leader: number): () => void {
  if (leaders.size === 0) process.on("exit", endAll);
  leaders.add(leader);
  return () => {
    leaders.delete(leader);
    if (leaders.size === 0) process.off("exit", endAll);
  };
}

const leaders = new Set<number>();

function endAll(): void {
  for (const leader of leaders) endGroup(leader);
}
