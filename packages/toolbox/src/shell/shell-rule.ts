import type { ToolCall } from "@cogency/protocol";
import { type HostRules, rulesForCall } from "../sandbox/egress/host-rules.ts";
import { parseCommand } from "./command/parse-command.ts";
import { isHarmless } from "./command/programs.ts";
import { ShellError } from "./errors.ts";
import { listedHosts } from "./shell-network.ts";

export interface ShellRuleOptions {
  /** Whether `shell` runs commands in a sandbox: what `shellIsolation` says of its root and options. */
  isolated?: boolean | undefined;
  /** Hosts that a call may ask for without a question, written as in `network.hosts`; none by default. */
  hosts?: readonly string[] | undefined;
}

/**
 * A host's rule for which shell calls may run without asking, for use in an approval policy. Patterns are matched word
 * by word with the parsed command: a word stands for itself, `*` for any one word, `**` at the end for any number of
 * words. Calls of other tools, commands that do not parse, and calls that ask for hosts which are not listed, ask.
 *
 * In a sandbox a pattern may begin with any program. Outside of one it is a trip wire and no border, so it has to spell
 * out every word, except after programs that can neither run others nor write nor reach anything; and there a wildcard
 * stands for no path that leads out of the folder, and the command has to run in the root.
 *
 * @returns of the rule: `allow_anyway` for a call that a pattern names; `allow` where it does so by a wildcard outside of a
 * sandbox; else `ask`
 * @throws ShellError `rule_invalid` for a pattern that does not begin with a program, that has more of a wildcard than a
 * word, or, outside of a sandbox, that has one after a program of which more could be made; `option_invalid` for a host that is none
 */
export function shellRule(
  patterns: readonly string[],
  { isolated = false, hosts = [] }: ShellRuleOptions = {},
): (call: ToolCall) => "allow" | "allow_anyway" | "ask" {
  const rules = patterns.map((pattern) => compile(pattern, isolated));
  const listed = listedHosts("hosts", hosts);
  return ({ name, args }) => {
    const { command, cwd, hosts: asked } = args;
    if (name !== "shell" || typeof command !== "string") return "ask";
    if (!isolated && cwd !== undefined && cwd !== ".") return "ask";
    if (asked !== undefined && !areListed(asked, listed)) return "ask";
    const words = wordsOf(command);
    const matched = words ? rules.filter((rule) => rule.matches(words)) : [];
    if (matched.length === 0) return "ask";
    return isolated || matched.some(({ isExact }) => isExact) ? "allow_anyway" : "allow";
  };
}

type Words = readonly [program: string, ...args: string[]];

interface Rule {
  isExact: boolean;
  matches(words: Words): boolean;
}

function compile(pattern: string, isolated: boolean): Rule {
  const [program = "", ...expected] = pattern.trim().split(/\s+/);
  const isExact = !expected.some(isWildcard);
  checkPattern(pattern, program, expected);
  if (!isExact && !isolated && !isHarmless(program)) throw invalid(pattern, needsASandbox);
  const isOpen = expected.at(-1) === "**";
  if (isOpen) expected.pop();
  const fits = (word: string) => isolated || !leadsOut.test(word);
  const matches = ([actual, ...args]: Words) =>
    actual === program &&
    (isOpen ? args.length >= expected.length : args.length === expected.length) &&
    args.every((word, index) => word === expected[index] || ((expected[index] ?? "*") === "*" && fits(word)));
  return { isExact, matches };
}

const needsASandbox =
  "without a sandbox, what follows can make most programs run any other: spell each command out, or let it ask";

/** An absolute path or one that climbs, also as the value of an option. */
const leadsOut = /^(?:-[^/]*)?\/|=\/|(?:^|[/=]|^-.)\.\.(?:\/|$)/;

function isWildcard(word: string): boolean {
  return word.startsWith("*");
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
}

function areListed(asked: unknown, listed: HostRules): boolean {
  if (!Array.isArray(asked) || !asked.every((host) => typeof host === "string")) return false;
  try {
    return rulesForCall(asked, listed).beyond.length === 0;
  } catch {
    return false;
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
