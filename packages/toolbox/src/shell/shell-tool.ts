import { existsSync } from "node:fs";
import { defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import type { Root } from "../files/root.ts";
import { errorCode } from "../files/system-error.ts";
import { commandEnvironment } from "./environment.ts";
import { ShellError } from "./errors.ts";
import type { LiveOutput } from "./live-output.ts";
import { parseCommand } from "./parse-command.ts";
import { type CommandEnd, runCommand } from "./run-command.ts";

export interface ShellOptions {
  /** Milliseconds that a command may take; a call may ask for less, never for more. 120,000 by default. */
  timeout?: number | undefined;
  /** Bytes kept of stdout and of stderr, half from the beginning and half from the end; 65,536 by default. */
  maxOutputBytes?: number | undefined;
  /** Added to the environment of every command; `undefined` takes a variable away. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds between TERM and KILL for what does not end when told; 2,000 by default. */
  killAfter?: number | undefined;
}

/** How a program ended: by itself with an exit code, 0 or not, or by a signal. */
export type ShellResult = ({ exitCode: number } | { signal: string }) & {
  stdout: string;
  stderr: string;
  /** Bytes left out in the middle of a stream, whose text shows where. */
  truncated?: { stdout?: number; stderr?: number };
};

/** `shell`: runs one program, without a shell. Any exit code is a result; only what did not come to an end fails. */
export function shellTool(root: Root, options: ShellOptions = {}): Tool {
  const { maxOutputBytes = 65_536, killAfter = 2000, env: extra } = options;
  const timeout = Math.min(options.timeout ?? 120_000, longestTimer);
  const longest = timeout / 1000;
  return defineTool({
    name: "shell",
    description:
      "Run one program with arguments in the root folder. No shell reads the command: quotes and backslashes work; " +
      "pipes, redirections, variables, wildcards and several commands in one do not.",
    input: z.object({
      command: z.string().describe("the program and its arguments, such as: git log -3 --oneline"),
      timeout: z
        .number()
        .positive()
        .max(longest)
        .optional()
        .describe(`seconds after which it is ended; ${longest} when absent`),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    approval: "ask",
    // What it has started has to be looked up, too.
    grace: 400,
    // The executor's own limit is only for a command that cannot even be killed.
    timeout: timeout + killAfter + lastResort,
    resource({ command }) {
      // What cannot run is refused before anybody is asked about it.
      parseCommand(command);
      // It may change anything in the root, and what it changes elsewhere no key can name.
      return ["shell", `tree:${root.path}`, `folder:${root.path}`];
    },
    async execute({ command, timeout: seconds = longest }, { signal, progress }) {
      const [program, ...args] = parseCommand(command);
      signal.throwIfAborted();
      const limit = Math.min(seconds * 1000, timeout);
      const run = { cwd: root.base, env: commandEnvironment(root, extra), timeout: limit, killAfter, maxOutputBytes };
      const onOutput = ({ stream, text }: LiveOutput) => progress({ stream, text });
      const end = await runCommand(program, args, { ...run, signal, onOutput }).catch((error: unknown) => {
        throw notStarted(error, command, program, root);
      });
      signal.throwIfAborted();
      if (end.end === "timeout") throw timedOut(end, command, program, limit, longest);
      return resultOf(end);
    },
  });
}

/** Timers that are set for longer fire at once. */
const longestTimer = 2 ** 31 - 1;

/** Milliseconds beyond the time in which a command is ended by the tool itself. */
const lastResort = 5000;

function resultOf({ exitCode, signal, stdout, stderr }: CommandEnd): ShellResult {
  const truncated = {
    ...(stdout.omitted > 0 && { stdout: stdout.omitted }),
    ...(stderr.omitted > 0 && { stderr: stderr.omitted }),
  };
  return {
    ...(signal === null ? { exitCode: exitCode ?? 0 } : { signal }),
    stdout: stdout.text,
    stderr: stderr.text,
    ...(Object.keys(truncated).length > 0 && { truncated }),
  };
}

function timedOut(
  { stdout, stderr }: CommandEnd,
  command: string,
  program: string,
  limit: number,
  longest: number,
): ShellError {
  const printed = { stdout: stdout.text, stderr: stderr.text };
  const advice =
    limit < longest * 1000
      ? `Give a longer timeout (at most ${longest}), or make it do less.`
      : "No longer timeout can be given: make it do less. It has nothing to read from, so it must not wait for input.";
  return new ShellError(
    "timeout",
    command,
    `"${program}" was ended after ${limit / 1000} s, its limit, with all it had started. ${advice} Until then it printed: ${JSON.stringify(printed)}`,
    printed,
  );
}

function notStarted(cause: unknown, command: string, program: string, root: Root): unknown {
  const code = errorCode(cause);
  if (code === undefined) return cause;
  if (!existsSync(root.base)) {
    return new ShellError("start_failed", command, "The folder where commands run is gone.", { cause });
  }
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
  if (program === "cd") {
    return '"cd" is part of shells and no program: every command starts in the root folder; give paths from there.';
  }
  if (SHELL_WORDS.has(program)) return `"${program}" is part of shells and no program. Name a program to run.`;
  if (program.includes("/")) {
    return `There is no program "${program}", or what its first line names does not exist. Paths begin at the root folder.`;
  }
  return `"${program}" was not found on the PATH. Check the name; a program in the root folder needs its path, such as ./${program}.`;
}

const SHELL_WORDS = new Set(
  (
    ". alias bg break builtin case command continue declare do done elif else esac eval exec exit export fg fi for " +
    "function getopts hash history if jobs let local popd pushd read readonly return select set shift shopt source " +
    "then time times trap type typeset ulimit umask unalias unset until wait while"
  ).split(" "),
);
