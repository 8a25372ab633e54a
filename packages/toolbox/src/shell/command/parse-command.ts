import { parse } from "shell-quote";
import { ShellError } from "../errors.ts";
import { checkSyntax } from "./check-syntax.ts";

/**
 * The words of a command line, the program first. What it accepts means the same words to a POSIX shell; whatever a
 * shell would do more than split and unquote is refused.
 *
 * @throws ShellError `syntax_refused`, `command_invalid`
 */
export function parseCommand(command: string): [program: string, ...args: string[]] {
  checkSyntax(command);
  const [program, ...args] = parse(command).map((entry) => {
    if (typeof entry === "string") return entry;
    // The check let no glob pass: this is one whose characters were escaped, and `pattern` has the backslashes removed.
    if ("op" in entry && entry.op === "glob") return entry.pattern;
    throw new ShellError("syntax_refused", command, "The command was not run: it is more than words. Use quotes.");
  });
  if (!program) throw new ShellError("command_invalid", command, "The command is empty. Name a program to run.");
  return [program, ...args];
}
