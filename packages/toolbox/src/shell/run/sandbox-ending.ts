import { readFile } from "node:fs/promises";
import { settlesWithin, wait } from "@cogency/async";
import { descendants, send } from "./end-tree.ts";
import type { Ending } from "./run-command.ts";

/** Ends commands in a sandbox, and knows what its reports said. */
export interface SandboxEnding extends Ending {
  /** Whether the command began; without it, what ended is the sandbox that was being made for it. */
  readonly hasBegun: boolean;
  /** The system's code, where the bridge could not start the command. */
  readonly failure: string | undefined;
  /** The number of the first process of the sandbox, as soon as it is known. */
  readonly first: Promise<number>;
}

/**
 * A sandbox has processes of its own, and the first of them takes all others with it, whatever sessions and parents they
 * have: the system kills them before that one is gone.
 */
export function sandboxEnding(): SandboxEnding {
  const reports = ["", ""];
  const numberIn = (name: string) => Number(new RegExp(`"${name}": (\\d+)`).exec(reports[0] ?? "")?.[1] ?? Number.NaN);
  const first = () => numberIn("child-pid");
  let tell = (_: number) => {};
  const told = new Promise<number>((resolve) => {
    tell = resolve;
  });

  return {
    first: told,
    get hasBegun() {
      return !Number.isNaN(numberIn("exit-code"));
    },
    get failure() {
      return /^E[A-Z0-9]+/.exec(reports[1] ?? "")?.[0];
    },
    heard(report, text) {
      reports[report] = `${reports[report]}${text}`.slice(0, longestReport);
      if (!Number.isNaN(first())) tell(first());
    },
    async end(leader, gone, killAfter) {
      const init = first();
      // Neither bubblewrap itself, whose end is that of the sandbox, nor its first process, which hears no signal.
      send(
        (await descendants(leader)).filter((pid) => pid !== init),
        "SIGTERM",
      );
      await settlesWithin(gone, killAfter);
      await this.sweep(leader);
      if (!(await settlesWithin(gone, killGrace))) send([leader], "SIGKILL");
    },
    async sweep() {
      const init = first();
      if (Number.isNaN(init) || !(await isThere(init))) return;
      send([init], "SIGKILL");
      for (let waited = 0; waited < killGrace && (await isThere(init)); waited += interval) await wait(interval);
    },
  };
}

const longestReport = 4096;

/** Milliseconds in which the system ends what was killed; one that hangs in the kernel may take longer. */
const killGrace = 1000;
const interval = 5;

/**
 * Whether the first process of a sandbox is still there, and not another one to which the system has given its number. One
 * that has ended and that nobody has collected yet counts as gone: those below it went before.
 */
async function isThere(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return /^NSpid:.*\t1$/m.test(status) && !/^State:\t[ZX]/m.test(status);
}
