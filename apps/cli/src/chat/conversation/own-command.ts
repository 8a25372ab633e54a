import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

/** A command line that the person runs. */
export interface OwnCommand {
  readonly line: string;
  /** By the clock of `performance.now()`. */
  readonly startedAt: number;
  /** What it has printed so far, without control characters of a terminal; of more than 50,000 characters the end. */
  readonly output: string;
  /** Resolves with how it ended: `exit code 0`. */
  readonly ended: Promise<string>;
  /** Ends it, and the programs that it started. */
  stop(): void;
}

/**
 * Runs a command line that the person typed, with the person's own shell and rights, without input.
 *
 * @param onOutput called when it has printed something
 */
export function runOwnCommand(line: string, folder: string, onOutput: () => void): OwnCommand {
  const shell = process.env.SHELL || "/bin/sh";
  let printed = "";
  // In a process group of its own, so that all of it can be stopped, and Ctrl-C in the terminal reaches the chat alone.
  const child = spawn(shell, ["-c", line], { cwd: folder, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const read = (chunk: string) => {
    printed = (printed + chunk).slice(-most);
    onOutput();
  };
  child.stdout.setEncoding("utf8").on("data", read);
  child.stderr.setEncoding("utf8").on("data", read);
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, by) => resolve(by ? `ended by ${by}` : `exit code ${code}`));
  });
  return {
    line,
    startedAt: performance.now(),
    get output() {
      return stripVTControlCharacters(printed).trimEnd();
    },
    ended,
    stop() {
      if (child.pid === undefined || child.exitCode !== null) return;
      try {
        process.kill(-child.pid, "SIGTERM");
      } catch {
        child.kill();
      }
    },
  };
}

/** Characters of output that are kept. */
const most = 50_000;
