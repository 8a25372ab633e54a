import { resolve } from "node:path";
import type { JsonObject, ToolCall } from "@cogency/protocol";
import { shellRule } from "@cogency/toolbox/shell";
import { allowRules, type RuleSurroundings } from "./allow-rules.ts";
import { hostRule } from "./host-rule.ts";
import { placeOf } from "./place-of.ts";
import { possibleCommands } from "./possible-commands.ts";
import { isServerRule, namesServerTool } from "./server-rule.ts";
import { readWide } from "./wide-script.ts";

/** Whether rules name a call: `perhaps` if it cannot be compared with one of them. */
export type Named = "named" | "perhaps" | "other";

/**
 * Reads rules for calls that shall ask or not run, in the language of `allowRules`. Unlike a rule that allows, such a rule is read
 * widely: it also names a command anywhere in a script, a program by its path, any port of a host, and wildcards stand for
 * anything; one for a file names it in a redirection too. It compares texts, so it is no boundary: a program may do the same
 * under another name.
 *
 * @throws UsageError for an invalid rule
 */
export function wideRules(rules: readonly string[], surroundings: RuleSurroundings): (call: ToolCall) => Named {
  const tests = rules.flatMap((rule) => testsOf(rule, surroundings));
  return (call) => {
    const said = tests.map((test) => test(call));
    return said.includes("named") ? "named" : said.includes("perhaps") ? "perhaps" : "other";
  };
}

type Test = (call: ToolCall) => Named;

function testsOf(rule: string, { base, tools = [], servers = [] }: RuleSurroundings): Test[] {
  // In a sandbox, a pattern may hold wildcards after any program.
  const own = Object.entries(allowRules([rule], { base, isolated: true, hosts: [], tools, servers }));
  return own.map(([tool, decision]): Test => {
    if (isServerRule(tool)) return ({ name }) => (name === tool || namesServerTool(tool, name) ? "named" : "other");
    if (typeof decision !== "function") return ({ name }) => (name === tool ? "named" : "other");
    const pattern = rule.slice(rule.indexOf(":") + 1);
    const isNamed = (args: JsonObject) => decision({ id: "", name: tool, args }, {} as never) !== "ask";
    if (tool === "shell") return only(tool, ({ command }) => commandNamed(command, pattern));
    if (tool === "scrape") return only(tool, ({ url }) => hostNamed(url, pattern));
    if (tool === "search") return only(tool, () => "named");
    const isFile = only(tool, (args) => fileNamed(args, base, isNamed));
    return (call) => (call.name === "shell" ? writesNamed(call.args, base, isNamed) : isFile(call));
  });
}

function only(tool: string, test: (args: JsonObject) => Named): Test {
  return ({ name, args }) => (name === tool ? test(args) : "other");
}

function commandNamed(command: unknown, pattern: string): Named {
  if (typeof command !== "string") return "other";
  const rule = shellRule([pattern], { isolated: true });
  const isNamed = (text: string) => rule({ name: "shell", args: { command: text } }) !== "ask";
  const { commands, written, unknown, mayExpand } = readWide(command);
  // Behind what cannot be read may stand a command that is no more than text here.
  const parts = unknown
    .flatMap((text) => [text, ...text.split(/[;&|\n(){}]+/)])
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const texts = [...commands.map((words) => words.map(quoted).join(" ")), ...parts];
  const byName = [
    ...commands.map(([program = "", ...rest]) => [program.replace(/^.*\//s, ""), ...rest].map(quoted).join(" ")),
    ...parts.map((part) => part.replace(/^\S*\//, "")),
  ];
  if ([...texts, ...byName].some(isNamed)) return "named";
  if (unknown.length > 0 || mayExpand) return "perhaps";
  const [program = ""] = pattern.trim().split(/\s+/);
  const possible = written.flatMap((words) => possibleCommands(words, program.replace(/^.*\//s, "")));
  return possible.some((words) => isNamed(words.map(quoted).join(" "))) ? "perhaps" : "other";
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function writesNamed({ command, cwd = "." }: JsonObject, base: string, isNamed: (args: JsonObject) => boolean): Named {
  if (typeof command !== "string") return "other";
  const { writes, unknown } = readWide(command);
  const said = writes.map(({ path }): Named => {
    if (path === undefined || typeof cwd !== "string") return "perhaps";
    const file = resolve(base, cwd, path);
    return fileNamed({ file, path: file }, base, isNamed);
  });
  if (said.includes("named")) return "named";
  return said.includes("perhaps") || unknown.length > 0 ? "perhaps" : "other";
}

function hostNamed(url: unknown, pattern: string): Named {
  if (typeof url !== "string" || !URL.canParse(url)) return "other";
  const { host, hostname } = new URL(url);
  const isNamed = hostRule(pattern);
  return [host, hostname].some((name) => isNamed({ url: `https://${name}/` })) ? "named" : "other";
}

function fileNamed(args: JsonObject, base: string, isNamed: (args: JsonObject) => boolean): Named {
  const { file, path = "." } = args;
  const given = typeof file === "string" ? file : path;
  if (typeof given !== "string") return "other";
  // The rule asks for the place of a path with `..`, so that it is written without.
  const plain = resolve(base, given);
  if (isNamed({ ...args, file: plain, path: plain })) return "named";
  return placeOf(base, given) ? "other" : "perhaps";
}
