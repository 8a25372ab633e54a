import { existsSync } from "node:fs";
import type { Root } from "../files/confine/root.ts";
import { errorCode } from "../system-error.ts";
import { ShellError } from "./errors.ts";
import type { CommandEnd } from "./run/run-command.ts";
import { NotStarted } from "./run/run-sandboxed.ts";
import { wordsIfPlain } from "./script/read-script.ts";
import type { Aside } from "./shell-result.ts";

/** The message ends with stderr, or with stdout if stderr is empty. */
export function commandFailed(
  { exitCode, signal, stdout, stderr }: CommandEnd,
  command: string,
  { setAside, runsLater, note }: Aside,
): ShellError {
  const ending = signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
  const printed = [
    ...(setAside ? [`set aside: ${setAside.join(", ")}`] : []),
    ...(runsLater ? [`runs later: ${runsLater.join("; ")}`] : []),
    ...(note === undefined ? [] : [note]),
    ...(stdout.text.trim() === "" ? [] : [`stdout:\n${stdout.text.trimEnd()}`]),
    ...(stderr.text.trim() === "" ? [] : [`stderr:\n${stderr.text.trimEnd()}`]),
    ...(exitCode === brokenPipe && isScript(command) ? [`about the pipe: ${aboutBrokenPipe}`] : []),
  ];
  const message = printed.length === 0 ? `${ending}; it printed nothing` : [ending, ...printed].join("\n");
  return new ShellError("command_failed", command, message, {
    ...(signal === null ? { exitCode: exitCode ?? undefined } : { signal }),
    stdout: stdout.text,
    stderr: stderr.text,
    runsLater,
  });
}

/** The exit code of a program that SIGPIPE has ended. */
const brokenPipe = 141;

const aboutBrokenPipe =
  "A program in a pipe wrote on when its reader, such as head, had ended. That counts as a failure here, and nothing behind && has run. " +
  "Put ; in place of &&, or end the pipe with || true.";

function isScript(command: string): boolean {
  return wordsIfPlain(command) === undefined;
}

/** Undefined if it had printed nothing. */
export function cancelled({ stdout, stderr }: CommandEnd, command: string, program: string): ShellError | undefined {
  const printed = { stdout: stdout.text, stderr: stderr.text };
  if (printed.stdout === "" && printed.stderr === "") return undefined;
  const message = `"${program}" was ended with all it had started. Until then it printed: ${JSON.stringify(printed)}`;
  return new ShellError("cancelled", command, message, printed);
}

export function timedOut(
  { stdout, stderr }: CommandEnd,
  command: string,
  program: string,
  limit: number,
  longest: number,
  aside: Aside,
): ShellError {
  const printed = { stdout: stdout.text, stderr: stderr.text };
  const advice =
    limit < longest * 1000
      ? `Give a longer timeout (at most ${longest}), or make it do less.`
      : "No longer timeout can be given: make it do less. It has nothing to read from, so it must not wait for input.";
  return new ShellError(
    "timeout",
    command,
    `"${program}" was ended after ${limit / 1000} s, its limit, with all it had started. ${advice} Until then it printed: ${JSON.stringify({ ...printed, ...aside })}`,
    printed,
  );
}

export function notStarted(cause: unknown, command: string, program: string, root: Root): unknown {
  if (!existsSync(root.base)) {
    return new ShellError("start_failed", command, "The folder where commands run is gone.", { cause });
  }
  const code = cause instanceof NotStarted ? cause.code : errorCode(cause);
  if (code === undefined) return cause;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new ShellError("program_not_found", command, notFound(program), { cause });
  }
  if (code === "EACCES" || code === "EISDIR") {
    const message = `"${program}" is not a program that may be run. A script needs its interpreter before it.`;
    return new ShellError("program_not_executable", command, message, { cause });
  }
  const message = `"${program}" could not be started: the system reported ${code}.`;
  return new ShellError("start_failed", command, message, { cause });
}

function notFound(program: string): string {
  if (program.includes("/")) {
    return `There is no program "${program}", or what its first line names does not exist. Paths begin at the root folder.`;
  }
  return `"${program}" was not found on the PATH. Check the name; a program in the root folder needs its path, such as ./${program}.`;
}
