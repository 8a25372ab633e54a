import { settlesWithin } from "@cogency/async";
import { descendants } from "./descendants.ts";

/**
 * Ends a process that leads its own group, with all its descendants, also those in sessions of their own. It sends TERM, and
 * KILL to those that remain when `gone` settles or after `killAfter` milliseconds.
 */
export async function endTree(leader: number, gone: Promise<unknown>, killAfter: number): Promise<void> {
  // A stopped group cannot start more processes while its descendants are looked up.
  send([-leader], "SIGSTOP");
  const targets = [-leader, ...(await descendants(leader))];
  send(targets, "SIGTERM");
  send(targets, "SIGCONT");
  const isGone = await settlesWithin(gone, killAfter);
  send(isGone ? targets : [...targets, ...(await descendants(leader))], "SIGKILL");
  await settlesWithin(gone, killGrace);
}

/** Kills the processes that remain in the group of a process that has exited. */
export function endGroup(leader: number): void {
  send([-leader], "SIGKILL");
}

/** Milliseconds to wait for killed processes. One that hangs in the kernel may take longer. */
const killGrace = 1000;

export function send(targets: readonly number[], signal: NodeJS.Signals): void {
  for (const target of targets) {
    try {
      process.kill(target, signal);
    } catch {
      // It has ended meanwhile, or belongs to another user.
    }
  }
}
