import type { ToolCall } from "@cogency/protocol";
import { checkOption, listOf, required, text } from "@cogency/protocol/options";
import type { Tool } from "@cogency/tools";
import { checkOptionsOf } from "../options.ts";
import { type HostRules, rulesForCall } from "../sandbox/egress/host-rules.ts";
import { isHarmless } from "./command/programs.ts";
import { isConfined } from "./confined-tools.ts";
import { ShellError } from "./errors.ts";
import { readScriptIfAny, type Script, type ScriptCommand } from "./script/read-script.ts";
import type { ScriptWord } from "./script/read-word.ts";
import { listedHosts } from "./shell-network.ts";

export interface ShellRuleOptions {
  /**
   * Whether `shell` runs commands in a sandbox, as `shellIsolation` reports for its root and options; defaults to false. `"allow"`:
   * it does, and what the sandbox holds runs without a pattern.
   */
  isolated?: boolean | "allow" | undefined;
  /** Hosts that a call may name without a question, written as in `network.hosts`; defaults to none. */
  hosts?: readonly string[] | undefined;
  /**
   * Whether a script may write a file by a redirection. Gets the path relative to the root, without `..`; a link in it may lead
   * elsewhere. Defaults to no file.
   */
  writes?: ((path: string) => boolean) | undefined;
}

/**
 * Makes a rule for an approval policy that says which shell calls run without a question. A pattern is compared with the parsed
 * command word by word: a word matches itself, `*` any one word, `**` at the end any number of words. The rule asks for calls
 * of other tools, for commands that cannot run, and for hosts that are not listed.
 *
 * Of a script, each command must match a pattern, and each file that a redirection writes needs `writes`. A script asks if
 * its text alone does not say what will run, such as with a variable. A wildcard over files matches only `**`, because it
 * may become any number of words.
 *
 * In a sandbox a pattern may begin with any program. Without one a rule cannot confine a program, so a pattern must spell out
 * every word, except after programs that cannot run others, write or reach the network. There a wildcard matches no path that
 * leads out of the folder, and the command must run in the root.
 *
 * With `isolated: "allow"` every command runs, also a script that cannot be judged, if the sandbox of this very tool holds it
 * (`confined` of `shellIsolation`) and the call names no host that is not listed. For that, the rule needs the tool as its second
 * argument, which an approval policy gives it.
 *
 * @returns a function that returns `allow_anyway` for a call that matches patterns or that a sandbox without network holds, `allow`
 * for one that a sandbox holds except for listed hosts, and for one that matches only by a wildcard without a sandbox, and else
 * `ask`
 * @throws ShellError `rule_invalid` for a pattern that does not begin with a program, that uses a wildcard as a part of a word,
 * or, without a sandbox, that has a wildcard after a program that can do harm; `option_invalid` for an invalid host
 */
export function shellRule(
  patterns: readonly string[],
  options: ShellRuleOptions = {},
): (call: ToolCall, tool?: Tool) => "allow" | "allow_anyway" | "ask" {
  checkOption("shellRule", "patterns", patterns, required(listOf(text, "an array of strings")));
  checkOptionsOf("shellRule", options);
  const { isolated: sandbox = false, hosts = [], writes = () => false } = options;
  const isolated = sandbox !== false;
  const rules = patterns.map((pattern) => compile(pattern, isolated));
  const listed = listedHosts("hosts", hosts);
  const decide = ({ words: [program, ...args] }: ScriptCommand) => {
    const matched = program ? rules.filter((rule) => rule.matches([program, ...args])) : [];
    if (matched.length === 0) return "ask";
    return isolated || matched.some(({ isExact }) => isExact) ? "allow_anyway" : "allow";
  };
  const byPatterns = ({ reasons, writes: files, commands }: Script, cwd: string) => {
    if (reasons.length > 0 || (!isolated && cwd !== ".")) return "ask";
    const mayWrite = ({ path = "" }: { path: string | undefined }) =>
      !cwd.startsWith("/") && !cwd.split("/").includes("..") && writes(cwd === "." ? path : `${cwd}/${path}`);
    if (!files.every(mayWrite)) return "ask";
    const decisions = commands.map(decide);
    return decisions.includes("ask") ? "ask" : decisions.includes("allow") ? "allow" : "allow_anyway";
  };
  return ({ name, args }, tool) => {
    const { command, cwd = ".", hosts: asked = [] } = args;
    if (name !== "shell" || typeof command !== "string" || typeof cwd !== "string") return "ask";
    if (!areListed(asked, listed)) return "ask";
    const script = readScriptIfAny(command);
    if (script === undefined) return "ask";
    const decision = byPatterns(script, cwd);
    if (decision !== "ask" || sandbox !== "allow" || !isConfined(tool)) return decision;
    // With a network, what the conversation holds counts: the command could send it, or bring something in.
    return asked.length > 0 ? "allow" : "allow_anyway";
  };
}

type Words = readonly [program: ScriptWord, ...args: ScriptWord[]];

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
  const fits = ({ kind, value }: ScriptWord, wildcard: "*" | "**") =>
    (kind === "literal" || (kind === "glob" && wildcard === "**")) && (isolated || !leadsOut.test(value));
  const fitsAt = (word: ScriptWord, index: number) => {
    const own = expected[index];
    if (own === undefined || own === "*") return fits(word, own ?? "**");
    return word.kind === "literal" && word.value === own;
  };
  const matches = ([actual, ...args]: Words) =>
    actual.kind === "literal" &&
    actual.value === program &&
    (isOpen ? args.length >= expected.length : args.length === expected.length) &&
    args.every(fitsAt);
  return { isExact, matches };
}

const needsASandbox =
  "without a sandbox, what follows can make most programs run any other: spell each command out, or let it ask";

/** Matches an absolute path or one with `..`, also as the value of an option. */
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

function areListed(asked: unknown, listed: HostRules): asked is readonly string[] {
  if (!Array.isArray(asked) || !asked.every((host) => typeof host === "string")) return false;
  try {
    return rulesForCall(asked, listed).beyond.length === 0;
  } catch {
    return false;
  }
}

function invalid(pattern: string, problem: string): ShellError {
  return new ShellError("rule_invalid", pattern, `The rule "${pattern}" cannot be used: ${problem}.`);
}
