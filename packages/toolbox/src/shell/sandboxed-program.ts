import type { Root } from "../files/confine/root.ts";
import { checkRoot } from "../options.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { ShellError } from "./errors.ts";
import { commandEnvironment } from "./run/environment.ts";
import { runSandboxed } from "./run/run-sandboxed.ts";
import { notStarted } from "./shell-failures.ts";
import { isolationFor } from "./shell-isolation.ts";

/** A program of the host, which lives as long as this process needs it. */
interface SandboxedProgram {
  /** A path, or a name that is looked up on the PATH. */
  command: string;
  args: readonly string[];
  /** What it gets besides what commands of `shell` get. */
  env: Readonly<Record<string, string | undefined>>;
  /** Ends it. */
  signal: AbortSignal;
}

/**
 * Runs a program in the sandbox of the commands of `shell`, without a network. It has the stdin, stdout and stderr of this process, and
 * ends with it.
 *
 * @returns its exit code; 128 plus the number of the signal that ended it
 * @throws ShellError `isolation_unavailable` where there is no sandbox, and the codes of commands that cannot be started
 */
export async function sandboxedProgram(root: Root, { command, args, env, signal }: SandboxedProgram): Promise<number> {
  checkRoot("sandboxedProgram", root);
  const isolation = isolationFor(root, { sandbox: "required" });
  if (!isolation?.isolated) {
    const { problem, advice } = isolation ?? {};
    throw new ShellError(
      "isolation_unavailable",
      command,
      `The program needs a sandbox, and there is none: ${problem}. ${advice}`,
    );
  }
  const { PATH: _, ...own } = env;
  const { exitCode } = await runSandboxed(
    openSandbox(root, isolation, { readable: [] }),
    command,
    {
      program: command,
      args,
      programs: [command],
      cwd: root.base,
      env: commandEnvironment(root, { ...own, TMPDIR: undefined }),
      reach: "none",
      isLasting: true,
    },
    { timeout: longest, killAfter, maxOutputBytes: 0, inherits: true, signal, onOutput() {} },
  ).catch((error: unknown) => {
    throw notStarted(error, command, command, root);
  });
  return exitCode ?? 1;
}

/** Milliseconds, the most that a timer takes. */
const longest = 2 ** 31 - 1;

/** Milliseconds between TERM and KILL. */
const killAfter = 500;
