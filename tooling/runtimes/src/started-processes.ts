import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { endTree } from "@tooling/checks/process-tree";

/** The processes that one check has started. */
export class StartedProcesses {
  readonly #started: ChildProcess[] = [];
  #isOver = false;

  start(file: string, args: string[], options: SpawnOptions): ChildProcess {
    if (this.#isOver) throw new Error(`${file} is started after the end.`);
    const child = spawn(file, args, options);
    // Whoever waits for its end hears of an error, too.
    child.on("error", () => {});
    this.#started.push(child);
    return child;
  }

  /** Ends all of them with their descendants; from then on none can be started. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(
      this.#started.map(async (child) => {
        if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
        const exited = once(child, "exit");
        endTree(child.pid);
        await exited;
      }),
    );
  }
}
