import { settlesWithin } from "@cogency/async";
import { pidtree } from "pidtree";

/**
 * Ends a process that leads its own group, with all that descends from it, also what made a session of its own: TERM,
 * and KILL for what is left when `gone` settles or `killAfter` milliseconds are over.
 */
export async function endTree(leader: number, gone: Promise<unknown>, killAfter: number): Promise<void> {
  // Frozen, the group can do and start nothing more while its descendants are looked up.
  send([-leader], "SIGSTOP");
  const targets = [-leader, ...(await descendants(leader))];
  send(targets, "SIGTERM");
  send(targets, "SIGCONT");
  const isGone = await settlesWithin(gone, killAfter);
  send(isGone ? targets : [...targets, ...(await descendants(leader))], "SIGKILL");
  await settlesWithin(gone, killGrace);
}

/** Ends at once what a process that has exited left running in its group. */
export function endGroup(leader: number): void {
  send([-leader], "SIGKILL");
}

/** Milliseconds in which the system ends a process that was killed; one that hangs in the kernel may take longer. */
const killGrace = 1000;

/** All that descends from a process; none when it has gone, or the system has no `ps`. */
export async function descendants(pid: number): Promise<number[]> {
  try {
    return await pidtree(pid);
  } catch {
    return [];
  }
}

export function send(targets: readonly number[], signal: NodeJS.Signals): void {
  for (const target of targets) {
    try {
      process.kill(target, signal);
    } catch {
      // It has ended meanwhile, or belongs to another user: there is nothing else to try.
    }
  }
}
