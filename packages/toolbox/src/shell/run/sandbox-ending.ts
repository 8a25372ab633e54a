import { readFile } from "node:fs/promises";
import { settlesWithin, wait } from "@cogency/async";
import { descendants } from "./descendants.ts";
import { endGroup, send } from "./end-tree.ts";
import type { CommandEnding } from "./run-command.ts";

/** Ends a command in a sandbox, and reads the reports of bubblewrap and the bridge. */
export interface SandboxEnding extends CommandEnding {
  /** Whether the command started. If not, the sandbox ended before it was ready. */
  readonly hasBegun: boolean;
  /** The system's error code, if the bridge could not start the command. */
  readonly failure: string | undefined;
  /** Resolves to the pid of the first process of the sandbox. */
  readonly first: Promise<number>;
}

/**
 * Ends a sandbox by its first process: when that one ends, the kernel kills all other processes of the sandbox, whatever their
 * sessions and parents are.
 */
export function sandboxEnding(): SandboxEnding {
  const reports = ["", ""];
  const numberIn = (name: string) => Number(new RegExp(`"${name}": (\\d+)`).exec(reports[0] ?? "")?.[1] ?? Number.NaN);
  const first = () => numberIn("child-pid");
  let onFirst = (_: number) => {};
  const firstKnown = new Promise<number>((resolve) => {
    onFirst = resolve;
  });

  return {
    first: firstKnown,
    get hasBegun() {
      return !Number.isNaN(numberIn("exit-code"));
    },
    get failure() {
      return /^E[A-Z0-9]+/.exec(reports[1] ?? "")?.[0];
    },
    onReport(report, text) {
      reports[report] = `${reports[report]}${text}`.slice(0, longestReport);
      if (!Number.isNaN(first())) onFirst(first());
    },
    async end(leader, gone, killAfter) {
      const init = first();
      // Not to bubblewrap, whose end would end the sandbox at once, nor to the first process, which ignores TERM.
      send(
        (await descendants(leader)).filter((pid) => pid !== init),
        "SIGTERM",
      );
      await settlesWithin(gone, killAfter);
      await this.sweep(leader);
      if (!(await settlesWithin(gone, killGrace))) send([leader], "SIGKILL");
    },
    async sweep(leader) {
      const init = first();
      // bubblewrap that was killed before it could say more has left a process that waits for it.
      if (Number.isNaN(init)) endGroup(leader);
      if (Number.isNaN(init) || !(await isRunning(init))) return;
      send([init], "SIGKILL");
      for (let waited = 0; waited < killGrace && (await isRunning(init)); waited += interval) await wait(interval);
    },
  };
}

const longestReport = 4096;

/** Milliseconds to wait for killed processes. One that hangs in the kernel may take longer. */
const killGrace = 1000;
const interval = 5;

/**
 * Whether the first process of a sandbox still runs. `NSpid` rejects another process that got the same pid. A zombie counts as
 * gone, because all other processes of the sandbox ended before it.
 */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return /^NSpid:.*\t1$/m.test(status) && !/^State:\t[ZX]/m.test(status);
}
