import { parse } from "shell-quote";
import { ShellError } from "../errors.ts";
import { checkSyntax } from "./check-syntax.ts";

/**
 * Splits a command line into words, the program first. A POSIX shell splits every accepted command into the same words.
 * Commands that need more of a shell than splitting and unquoting are refused.
 *
 * @throws ShellError `syntax_refused`, `command_invalid`
 */
export function parseCommand(command: string): [program: string, ...args: string[]] {
  checkSyntax(command);
  const [program, ...args] = parse(command).map((entry) => {
    if (typeof entry === "string") return entry;
    // `checkSyntax` refuses globs, so this one was escaped; `pattern` is the word without the backslashes.
    if ("op" in entry && entry.op === "glob") return entry.pattern;
    throw new ShellError("syntax_refused", command, "The command was not run: it is more than words. Use quotes.");
  });
  if (!program) throw new ShellError("command_invalid", command, "The command is empty. Name a program to run.");
  return [program, ...args];
}
