import { MountsDifferError } from "../../sandbox/mounts/verify-mounts.ts";
import type { Sandbox, SandboxedCommand, SandboxLaunch } from "../../sandbox/open-sandbox.ts";
import { gateErrorIn } from "../../sandbox/start-gate.ts";
import { ShellError } from "../errors.ts";
import { trackCommand } from "./commands-ended.ts";
import { startWatching } from "./end-with-owner.ts";
import { type CommandEnd, type CommandOptions, runCommand } from "./run-command.ts";
import { sandboxEnding } from "./sandbox-ending.ts";

/**
 * Runs a command in a sandbox of its own, which ends with the command. If a signal ends the command, its exit code is 128 plus
 * the number of the signal, as in shells.
 *
 * @throws ShellError `isolation_unavailable`; NotStarted
 */
export async function runSandboxed(
  sandbox: Sandbox,
  text: string,
  command: SandboxedCommand,
  options: CommandOptions,
): Promise<CommandEnd> {
  const limit = AbortSignal.timeout(Math.min(options.timeout, longestPreparing));
  for (let attempt = 1; ; attempt++) {
    try {
      return await trackCommand(runOnce(sandbox, text, command, options, limit));
    } catch (error) {
      if (!(error instanceof MountsDifferError)) throw error;
      if (attempt === mostAttempts) throw unavailable(text, error.message, error);
    }
  }
}

/** Milliseconds until a sandbox must be ready, however long its command may take. */
const longestPreparing = 120_000;
/** Attempts fail only if folders of the root are renamed at the moment when a command starts, which is rare. */
const mostAttempts = 5;

/** @throws MountsDifferError if the command was not started */
async function runOnce(
  sandbox: Sandbox,
  text: string,
  command: SandboxedCommand,
  options: CommandOptions,
  limit: AbortSignal,
): Promise<CommandEnd> {
  const { signal } = options;
  const launch = await prepareUntil(sandbox, command, AbortSignal.any([signal, limit])).catch((cause: unknown) => {
    if (signal.aborted) return undefined;
    if (limit.aborted)
      throw unavailable(text, `it was not ready within ${Math.min(options.timeout, longestPreparing) / 1000} s`, cause);
    throw unavailable(text, `something that it must hide or protect cannot be covered (${messageOf(cause)})`, cause);
  });
  if (launch === undefined) return neverStarted;
  const ending = sandboxEnding();
  let problem: unknown;
  let isStarted = false;
  const start = ending.first.then(async (pid) => {
    try {
      await launch.verify(pid);
    } catch (error) {
      problem = error;
      // The command waits for a byte, and would also start at the end of the pipe.
      await ending.sweep(pid);
      throw error;
    }
    isStarted = true;
    options.onStart?.();
    return startByte;
  });
  try {
    const { file, args, inputs, connections, reports } = launch;
    // An empty environment: commands could read that of bubblewrap.
    const run = { file, args, cwd: "/", env: {}, inputs: [...inputs, start, ...connections], reports };
    const ended = await runCommand(run, { ...options, onStart: undefined, ending }).catch((cause: unknown) => {
      throw unavailable(text, `bubblewrap cannot be started (${messageOf(cause)})`, cause);
    });
    if (ended.end === "aborted") {
      // Nobody waits for what is cleaned up.
      trackCommand(launch.close()).catch(() => {});
      return ended;
    }
    const { broken, aside } = await launch.close();
    const end = { ...ended, aside };
    if (broken.length > 0) throw repositoryBroken(text, broken, end);
    if (end.end !== "exited") return end;
    if (problem instanceof MountsDifferError) throw problem;
    if (ending.hasBegun && !isStarted)
      throw unavailable(text, `its mounts cannot be checked (${messageOf(problem)})`, problem);
    const failure = ending.failure ?? gateErrorIn(end.exitCode, end.stderr.text);
    if (failure !== undefined) throw new NotStarted(failure);
    if (!ending.hasBegun && isStarted && end.signal !== null) throw outcomeUnknown(text, end);
    if (!ending.hasBegun)
      throw unavailable(text, end.stderr.text.trim() || `bubblewrap ended with ${end.signal ?? end.exitCode}`);
    return end;
  } finally {
    await launch.close();
  }
}

const startByte = Uint8Array.of(1);
const noOutput = { text: "", omitted: 0 };
const neverStarted: CommandEnd = { end: "aborted", exitCode: null, signal: null, stdout: noOutput, stderr: noOutput };

/** Rejects when `signal` aborts. A launch that is ready later is closed. */
async function prepareUntil(sandbox: Sandbox, command: SandboxedCommand, signal: AbortSignal): Promise<SandboxLaunch> {
  signal.throwIfAborted();
  const preparing = sandbox.prepare(command, signal);
  startWatching();
  return new Promise((resolve, reject) => {
    const stop = () => {
      trackCommand(preparing.then((launch) => launch.close())).catch(() => {});
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop);
    preparing.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The sandbox was made, but the command could not be started. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
  /** The system's error code, such as `ENOENT`. */
  readonly code: string;

  constructor(code: string) {
    super(`The command could not be started: the system reported ${code}.`);
    this.code = code;
  }
}

function repositoryBroken(command: string, paths: readonly string[], { stdout, stderr }: CommandEnd): ShellError {
  const named = paths.map((path) => `"${path}"`).join(", ");
  const message = [
    `The command broke ${named}: git would not have recognised it as a repository any more, and would have obeyed settings in the root instead. HEAD and the permissions of the folder were restored. It printed:`,
    JSON.stringify({ stdout: stdout.text, stderr: stderr.text }),
  ].join("\n");
  return new ShellError("command_failed", command, message, { stdout: stdout.text, stderr: stderr.text });
}

/** Another process killed bubblewrap, such as a system that is short of memory. */
function outcomeUnknown(command: string, { signal, stdout, stderr }: CommandEnd): ShellError {
  const printed = { stdout: stdout.text, stderr: stderr.text };
  const message = `The sandbox was ended by ${signal} from outside after the command had started. How far the command came is unknown, and its changes stay. It printed: ${JSON.stringify(printed)}`;
  return new ShellError("command_failed", command, message, { signal: signal ?? undefined, ...printed });
}

function unavailable(command: string, problem: string, cause?: unknown): ShellError {
  const message = `The command was not run: its sandbox could not be made: ${problem}.`;
  return new ShellError("isolation_unavailable", command, message, cause === undefined ? {} : { cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
