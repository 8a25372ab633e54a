import type { Root } from "../files/confine/root.ts";
import { checkOptionsOf, checkRoot } from "../options.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { gateErrorIn } from "../sandbox/start-gate.ts";
import { ShellError } from "./errors.ts";
import type { HostCommandOptions } from "./host-command-options.ts";
import { trackCommand } from "./run/commands-ended.ts";
import { commandEnvironment } from "./run/environment.ts";
import { type CommandEnd, type CommandOptions, type Launch, runCommand } from "./run/run-command.ts";
import { NotStarted, runSandboxed } from "./run/run-sandboxed.ts";
import { watchedStart } from "./run/watched-start.ts";
import { programsOf, readScript } from "./script/read-script.ts";
import { startOf } from "./script/start-of.ts";
import { notStarted } from "./shell-failures.ts";
import { isolationFor } from "./shell-isolation.ts";

/** A command line of the host itself: not one that a model has asked for. */
export interface HostCommand {
  command: string;
  /** What it reads. */
  stdin: string;
  /** Milliseconds until it is ended. */
  timeout: number;
  /** Bytes of each stream; one that writes more is ended. */
  maxOutputBytes: number;
  signal: AbortSignal;
}

export interface HostCommandEnd {
  end: "exited" | "timeout" | "aborted" | "flooded";
  /** Null if a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Without what is too much. */
  stdout: string;
  stderr: string;
}

/**
 * Runs command lines of the host as `shell` runs those of a model: in the root, with the same few variables, in a process group that
 * ends whole, also when this process is killed.
 *
 * @returns a function that rejects with ShellError if the command cannot be started
 * @throws ShellError `isolation_unavailable` if a required sandbox does not exist
 */
export function hostCommands(
  root: Root,
  options: HostCommandOptions = {},
): (command: HostCommand) => Promise<HostCommandEnd> {
  checkRoot("hostCommands", root);
  checkOptionsOf("hostCommands", options);
  const { sandbox: wanted = "off" } = options;
  const isolation = isolationFor(root, { sandbox: wanted });
  if (isolation && !isolation.isolated) {
    const message = `The command needs a sandbox, and there is none: ${isolation.problem}. ${isolation.advice}`;
    throw new ShellError("isolation_unavailable", "", message);
  }
  const sandbox = isolation && openSandbox(root, isolation, { readable: [] });

  function launch(command: string, run: CommandOptions): Promise<CommandEnd> {
    const { program, args, env } = startOf(
      command,
      root,
      commandEnvironment(root, sandbox === undefined ? {} : { TMPDIR: undefined }),
    );
    const cwd = root.base;
    const started =
      sandbox === undefined
        ? trackCommand(runUnconfined({ file: program, args, cwd, env }, run))
        : runSandboxed(
            sandbox,
            command,
            { program, args, programs: programsOf(readScript(command), program), cwd, env, reach: "none" },
            run,
          );
    return started.catch((error: unknown) => {
      throw notStarted(error, command, program, root);
    });
  }

  return async ({ command, stdin, timeout, maxOutputBytes, signal }) => {
    const flood = new AbortController();
    const written = { stdout: 0, stderr: 0 };
    const end = await launch(command, {
      timeout,
      killAfter,
      maxOutputBytes,
      signal: AbortSignal.any([signal, flood.signal]),
      stdin: Buffer.from(stdin),
      onOutput() {},
      onChunk(stream, chunk) {
        written[stream] += chunk.length;
        if (written[stream] > maxOutputBytes) flood.abort();
      },
    });
    const isFlooded = Math.max(written.stdout, written.stderr) > maxOutputBytes;
    const { exitCode, signal: endedBy, stdout, stderr } = end;
    return {
      end: isFlooded ? "flooded" : end.end,
      exitCode,
      signal: endedBy,
      stdout: stdout.text,
      stderr: stderr.text,
    };
  };
}

/** Milliseconds between TERM and KILL. */
const killAfter = 500;

/** @throws the system's error, or NotStarted, if the program cannot be started */
async function runUnconfined(launch: Launch, options: CommandOptions): Promise<CommandEnd> {
  if (process.platform === "win32") return runCommand(launch, options);
  const end = await runCommand(watchedStart(launch), options);
  const failure = end.end === "exited" ? gateErrorIn(end.exitCode, end.stderr.text) : undefined;
  if (failure !== undefined) throw new NotStarted(failure);
  return end;
}
