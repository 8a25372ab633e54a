import type { JsonObject } from "@cogency/protocol";
import { ToolboxError } from "@cogency/toolbox";
import { compileGlob } from "@cogency/toolbox/files";
import { ShellError, shellRule } from "@cogency/toolbox/shell";
import type { ApprovalDecision, ApprovalPolicy, Tool } from "@cogency/tools";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { isToolName, namedTools, type ToolName } from "../../base/tool-names.ts";
import { hostRule } from "./host-rule.ts";
import { placeOf } from "./place-of.ts";
import { isServerRule, namesServerTool, serverRule } from "./server-rule.ts";

/** What a rule decides about a call. */
type CallRule = (...call: Parameters<ApprovalPolicy>) => ApprovalDecision;

/** The decisions by tool of ApprovalRules, to which a run may add. */
export type AllowRules = Record<string, ApprovalDecision | CallRule>;

/** What the meaning of a rule depends on. */
export interface RuleSurroundings {
  /** The folder that relative paths of calls start from. */
  base: string;
  /** Whether programs that `shell` runs are isolated, so that rules may name programs that run others. */
  isolated: boolean;
  /** The hosts that isolated programs may reach without a question. */
  hosts: readonly string[];
  /** The names of tools that are not the app's own. */
  tools?: readonly string[];
  /** The names of the MCP servers, whose tools may come and go. */
  servers?: readonly string[];
}

/**
 * Reads the values of `--allow`: names of tools, separated by commas, or a tool, a colon and a pattern, which takes the rest
 * of the value. A named tool is allowed unless something speaks against a call. A call that matches a pattern is allowed
 * anyway, because the user named it. A pattern of wildcards alone names no file, so it counts as the tool's name.
 *
 * @throws UsageError for an unknown tool, for an invalid pattern, and for one that would allow more than it seems to
 */
export function allowRules(values: readonly string[], surroundings: RuleSurroundings): AllowRules {
  const names: string[] = [];
  const ofServers: string[] = [];
  const patterns = new Map<PatternTool, string[]>();
  for (const value of values) {
    const { tools, tool, pattern = "" } = withPattern.exec(value)?.groups ?? { tools: value };
    for (const part of tools?.split(",") ?? []) {
      const isOwn = !isServerRule(part.trim()) || surroundings.tools?.includes(part.trim());
      if (isOwn) names.push(...namedTools("--allow", part, surroundings.tools));
      else ofServers.push(part.trim());
    }
    if (tool !== undefined) {
      const known = isPatternTool(tool) ? tool : noPatterns(value, tool);
      patterns.set(known, [...(patterns.get(known) ?? []), pattern]);
    }
  }
  const rules: AllowRules = {};
  for (const [tool, own] of patterns) rules[tool] = named(tool, own, surroundings);
  const commands = patterns.get("shell");
  if (commands) rules.shell = commandRule(commands, surroundings, rules);
  for (const name of names) allowTool(rules, name);
  for (const rule of ofServers) rules[rule] = serverRule(rule, surroundings.servers);
  return rules;
}

/** What rules that allow say about a call; undefined if none of them allows it. */
export function allowedBy(
  rules: AllowRules,
  ...[call, tool]: Parameters<ApprovalPolicy>
): ApprovalDecision | undefined {
  const names = Object.keys(rules).filter((name) => name === call.name || namesServerTool(name, call.name));
  for (const name of names) {
    const rule = rules[name];
    const decision = typeof rule === "function" ? rule(call, tool) : rule;
    if (decision !== undefined && decision !== "ask") return decision;
  }
  return undefined;
}

/** Allows a tool from now on. Calls that match one of its patterns stay allowed anyway. */
function allowTool(rules: AllowRules, name: string): void {
  const own = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (typeof own !== "function") rules[name] = "allow";
  else rules[name] = (call, tool) => (own(call, tool) === "allow_anyway" ? "allow_anyway" : "allow");
}

const withPattern = /^(?:(?<tools>[^:]*),)?\s*(?<tool>[^:,]*):(?<pattern>.*)$/s;

type PatternTool = keyof typeof makers;

function isPatternTool(name: string): name is PatternTool {
  return Object.hasOwn(makers, name);
}

/** The decision of one pattern about the arguments of a call; `true` means `allow_anyway`. */
type Matcher = (args: Parameters<ApprovalPolicy>[0]["args"]) => boolean | ApprovalDecision;

/** Rules for files match the place that a path leads to, not its spelling: a link may lead elsewhere. */
const makers = {
  write: (pattern, { base }) => fileRule(pattern, base, "file"),
  edit: (pattern, { base }) => fileRule(pattern, base, "file"),
  replace: (pattern, { base }) => fileRule(pattern, base, "path"),
  scrape: hostRule,
  search: everything,
  shell: (pattern, surroundings) => {
    const rule = commandRule([pattern], surroundings, {});
    return (args) => rule({ id: "", name: "shell", args }, {} as Tool);
  },
} satisfies Partial<Record<ToolName, (pattern: string, surroundings: RuleSurroundings) => Matcher>>;

function named(tool: PatternTool, patterns: readonly string[], surroundings: RuleSurroundings): CallRule {
  const matchers = patterns.map((pattern) => checked(`${tool}:${pattern}`, () => makers[tool](pattern, surroundings)));
  return ({ args }) => {
    const said = matchers.map((matches) => matches(args));
    if (said.includes(true) || said.includes("allow_anyway")) return "allow_anyway";
    return said.includes("allow") ? "allow" : "ask";
  };
}

function fileRule(pattern: string, base: string, argument: "file" | "path"): Matcher {
  const isAbsolute = pattern.startsWith("/");
  // A glob without a folder matches the last name of any path. With a folder before it, it matches the whole path.
  const matches = compileGlob(`root/${pattern.replace(isAbsolute ? /^\// : /^(\.\/)+/, "")}`);
  const isMatch = (args: JsonObject) => {
    const path = args[argument] ?? (argument === "path" ? "." : undefined);
    const place = typeof path === "string" ? placeOf(base, path) : undefined;
    if (!place) return false;
    if (isAbsolute) return matches(`root${place.absolute}`);
    return place.relative !== undefined && matches(place.relative === "." ? "root" : `root/${place.relative}`);
  };
  return namesNothing(pattern) ? (args) => (isMatch(args) ? "allow" : "ask") : isMatch;
}

/** Whether a glob, or one of its alternatives, consists of wildcards alone. */
function namesNothing(pattern: string): boolean {
  const literal = pattern.replace(/\\./gs, "a").replace(/\[[^\]/]+\]/g, "?");
  return alternatives(literal).some((one) => !/[^*?/.]/.test(one));
}

function alternatives(pattern: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (!braces) return [pattern];
  const [whole, options = ""] = braces;
  const after = pattern.slice(braces.index + whole.length);
  return options.split(",").flatMap((option) => alternatives(pattern.slice(0, braces.index) + option + after));
}

/**
 * The rules for commands as one, because each command of a script may match another one. A script may write by redirections
 * what a pattern for `write` names, below the base.
 */
function commandRule(
  patterns: readonly string[],
  { base, isolated, hosts }: RuleSurroundings,
  rules: AllowRules,
): CallRule {
  const writes = (file: string) => {
    const own = Object.hasOwn(rules, "write") ? rules.write : undefined;
    if (typeof own !== "function" || placeOf(base, file)?.relative === undefined) return false;
    return own({ id: "", name: "write", args: { file } }, {} as Tool) === "allow_anyway";
  };
  const rule = shellRule(patterns, { isolated, hosts, writes });
  return ({ args }) => rule({ name: "shell", args });
}

function everything(pattern: string): Matcher {
  if (pattern.trim() === "*") return () => true;
  throw new UsageError('--allow: the only rule for search is "search:*", which stands for every query.');
}

function noPatterns(value: string, tool: string): never {
  const [name] = namedTools("--allow", isToolName(tool) ? tool : value);
  const known = Object.keys(makers).join(", ");
  throw new UsageError(`--allow: there are no patterns for ${name}. Give its name alone; ${known} have patterns.`);
}

function checked<T>(rule: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ShellError) {
      const option = error.code === "option_invalid" ? "--network" : "--allow";
      throw new UsageError(`${option}: ${error.message}`, { cause: error });
    }
    if (!(error instanceof ToolboxError)) throw error;
    throw new UsageError(
      `--allow: "${oneLine(rule, 80)}" names no files. Give a path below the root or a glob, such as write:docs/**.`,
      { cause: error },
    );
  }
}
