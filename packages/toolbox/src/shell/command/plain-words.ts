import { parse } from "shell-quote";
import { ShellError } from "../errors.ts";
import { isPlain } from "./is-plain.ts";

/**
 * Splits a command line into words, the program first. Every POSIX shell splits the command into the same words. Undefined for a
 * command that takes more of a shell than splitting and unquoting.
 *
 * @throws ShellError `command_invalid`
 */
export function plainWords(command: string): [program: string, ...args: string[]] | undefined {
  if (!isPlain(command)) return undefined;
  const words: string[] = [];
  for (const entry of parse(command)) {
    // `isPlain` knows no globs, so this one was escaped; `pattern` is the word without the backslashes.
    const word = typeof entry === "string" ? entry : "op" in entry && entry.op === "glob" ? entry.pattern : undefined;
    if (word === undefined) return undefined;
    words.push(word);
  }
  const [program, ...args] = words;
  if (!program) throw new ShellError("command_invalid", command, "The command is empty. Name a program to run.");
  return [program, ...args];
}
