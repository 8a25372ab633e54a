import type { ToolCall } from "@cogency/protocol";
import { ShellError } from "./errors.ts";
import { parseCommand } from "./parse-command.ts";
import { optionsAreHarmless, runsOthers } from "./programs.ts";

/**
 * A host's rule for which shell calls may run without asking, for use in an approval policy. Patterns are matched word
 * by word with the parsed command: a word stands for itself, `*` for any one word, `**` at the end for any number of
 * words. A wildcard stands for options only after programs whose options can neither run programs nor write files;
 * elsewhere an option is allowed only where the pattern spells it. Calls of other tools and commands that do not parse
 * ask.
 *
 * @throws ShellError `rule_invalid` for a pattern that does not begin with a program, that has a wildcard after a
 * program whose arguments can be programs (`sh`, `env`, `npm`, …), or that has more of a wildcard than a word
 */
export function shellRule(patterns: readonly string[]): (call: ToolCall) => "allow" | "ask" {
  const rules = patterns.map(compile);
  return ({ name, args }) => {
    if (name !== "shell" || typeof args.command !== "string") return "ask";
    const words = wordsOf(args.command);
    return words && rules.some((matches) => matches(words)) ? "allow" : "ask";
  };
}

type Words = readonly [program: string, ...args: string[]];

function compile(pattern: string): (words: Words) => boolean {
  const [program = "", ...expected] = pattern.trim().split(/\s+/);
  checkPattern(pattern, program, expected);
  const isOpen = expected.at(-1) === "**";
  if (isOpen) expected.pop();
  const fits = (word: string) => optionsAreHarmless(program) || !/^[-+@]/.test(word);
  return ([actual, ...args]) =>
    actual === program &&
    (isOpen ? args.length >= expected.length : args.length === expected.length) &&
    args.every((word, index) => word === expected[index] || (isWildcard(expected[index]) && fits(word)));
}

/** Words beyond those expected are matched by a `**`, or there would be fewer. */
function isWildcard(word: string | undefined): boolean {
  return word === "*" || word === undefined;
}

function checkPattern(pattern: string, program: string, args: readonly string[]): void {
  if (program === "") throw invalid(pattern, "it is empty");
  if (/[*'"\\]/.test(program)) throw invalid(pattern, "it has to begin with the name of one program");
  const misplaced = args.find(
    (word, index) => /['"\\]|.\*|\*./.test(word) && !(word === "**" && index === args.length - 1),
  );
  if (misplaced !== undefined) {
    throw invalid(
      pattern,
      `"${misplaced}" is not understood: * is a word of its own, ** the last one, and there are no quotes`,
    );
  }
  const wildcard = args.findIndex((word) => word.startsWith("*"));
  if (wildcard >= 0 && runsOthers(program, args.slice(0, wildcard))) {
    throw invalid(pattern, "what follows can make it run any program: spell each command out, or let it ask");
  }
}

function wordsOf(command: string): Words | undefined {
  try {
    return parseCommand(command);
  } catch (error) {
    if (error instanceof ShellError) return undefined;
    throw error;
  }
}

function invalid(pattern: string, problem: string): ShellError {
  return new ShellError("rule_invalid", pattern, `The rule "${pattern}" cannot be used: ${problem}.`);
}
