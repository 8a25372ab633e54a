import type { JsonObject } from "@cogency/protocol";
import { readScriptIfAny, type ScriptCommand } from "@cogency/toolbox/shell";
import type { ApprovalDecision, ApprovalRequest } from "@cogency/tools";
import { exact } from "../../base/terminal/exact-text.ts";
import { allowedBy, allowRules, type RuleSurroundings } from "./allow-rules.ts";
import { placeOf } from "./place-of.ts";
import { boundRule } from "./server-rule.ts";
import { runsOthers } from "./wide-script.ts";

/** The options that would allow a call, as typed in a shell. */
interface AllowOption {
  /** Allows the call if nothing speaks against it. */
  plain: string;
  /** A rule that names this call or its host; undefined if no rule can. */
  naming: string | undefined;
}

export function ruleFor(
  { call, tool }: Pick<ApprovalRequest, "call" | "tool">,
  surroundings: RuleSurroundings,
): AllowOption {
  const rule = ruleNaming(call.name, call.args, surroundings);
  const works = rule !== undefined && decisionOf([rule], { call, tool }, surroundings) === "allow_anyway";
  const naming = works ? `--allow ${shellWord(rule)}` : undefined;
  const isByHost = call.name === "scrape" || call.name === "search";
  return { plain: isByHost && naming !== undefined ? naming : `--allow ${call.name}`, naming };
}

/**
 * The rules that would allow a call from now on, the narrowest first: for this command, file or host, for more like it, and for all
 * edits in the folder of a file. For a script they are several at once: one for each of its commands and files that no rule allows.
 * For a tool of a server it is one, which counts as long as its definition stays as it is. Rules that would not allow this very call
 * are left out.
 *
 * @param allowed the rules that count already
 */
export function rulesAllowing(
  { call, tool }: Pick<ApprovalRequest, "call" | "tool">,
  surroundings: RuleSurroundings,
  allowed: readonly string[] = [],
): (readonly string[])[] {
  const ofScript = call.name === "shell" ? scriptRules(call.args, surroundings, allowed) : [];
  const ofCall = [ruleNaming(call.name, call.args, surroundings), widerRule(call.name, call.args, surroundings)]
    .filter((rule) => rule !== undefined)
    .map((rule) => [rule]);
  const candidates = [
    ...(tool.definedBy === undefined ? ofCall : [[boundRule(tool)]]),
    editRules(call.name, call.args, surroundings),
    ofScript,
  ].filter((rules) => rules.length > 0);
  const works = (rules: readonly string[], others: readonly string[]) =>
    ["allow", "allow_anyway"].includes(decisionOf(rules, { call, tool }, surroundings, others));
  const offered = candidates.filter((rules) => works(rules, rules === ofScript ? allowed : []));
  return [...new Map(offered.map((rules) => [rules.join("\n"), rules])).values()];
}

/** None for a script that cannot be judged, and for one with a command that no rule can name. */
function scriptRules(
  { command, cwd = "." }: JsonObject,
  surroundings: RuleSurroundings,
  allowed: readonly string[],
): readonly string[] {
  const script = typeof command === "string" ? readScriptIfAny(command) : undefined;
  if (!script?.isScript || script.reasons.length > 0 || typeof cwd !== "string") return [];
  const counts = (rules: readonly string[], name: string, args: JsonObject) =>
    decisionOf(rules, { call: { id: "", name, args }, tool: {} as never }, surroundings) === "allow_anyway";
  const commands = script.commands.map((each) => {
    const words = each.words.map(({ value }) => shellWord(value)).join(" ");
    const isAllowed =
      each.words.every(({ kind }) => kind === "literal") && counts(allowed, "shell", { command: words, cwd });
    return isAllowed ? undefined : (patternOf(each) ?? "");
  });
  const files = script.writes.map(({ path = "" }) => {
    const file = cwd === "." ? path : `${cwd}/${path}`;
    return counts(allowed, "write", { file }) ? undefined : (globRule("write", surroundings.base, file) ?? "");
  });
  const rules = [...new Set([...commands, ...files].filter((rule) => rule !== undefined))];
  return rules.includes("") || rules.length > mostRules ? [] : rules;
}

/** More are no choice that a person can read in a moment. */
const mostRules = 6;

/** `shell:cat src **` for `cat src a*`. None for words that a pattern cannot hold. */
function patternOf({ words }: ScriptCommand): string | undefined {
  const first = words.findIndex(({ kind }) => kind !== "literal");
  const literal = (first === -1 ? words : words.slice(0, first)).map(({ value }) => value);
  if (literal.length === 0 || literal.some((word) => !/^[^\s'"\\*]+$/.test(word))) return undefined;
  return `shell:${literal.join(" ")}${first === -1 ? "" : " **"}`;
}

/** A rule for the folder of a file, or for the same command with other arguments. */
function widerRule(
  tool: string,
  { command, file }: JsonObject,
  { base, tools = [] }: RuleSurroundings,
): string | undefined {
  switch (tool) {
    case "shell":
      return typeof command === "string" ? commandRule(command) : undefined;
    case "write":
    case "edit": {
      const files = typeof file === "string" ? filesBeside(file, base) : undefined;
      return files && `${tool}:${files}`;
    }
    default:
      // There are no patterns for the arguments of a tool that is not the app's own.
      return tools.includes(tool) ? tool : undefined;
  }
}

/** Every tool that changes files, in the folder of the file. */
function editRules(tool: string, { file }: JsonObject, { base }: RuleSurroundings): readonly string[] {
  const isEdit = tool === "write" || tool === "edit";
  const files = isEdit && typeof file === "string" ? filesBeside(file, base) : undefined;
  return files === undefined ? [] : ["write", "edit", "replace"].map((name) => `${name}:${files}`);
}

/** The files in the folder of a file, as a glob; undefined for one that is directly in the root, or outside of it. */
function filesBeside(file: string, base: string): string | undefined {
  const folder = placeOf(base, file)?.relative?.split("/").slice(0, -1) ?? [];
  return folder.length > 0 ? `${literally(folder.join("/"))}/**` : undefined;
}

/** `git log **` for `git log --oneline`. None for programs that run others: what follows would be any command. */
function commandRule(command: string): string | undefined {
  const [program = "", word = "", ...rest] = command.trim().split(/\s+/);
  if (rest.length === 0 || !/^[a-z][\w-]*$/.test(word) || runsOthers.has(program)) return undefined;
  return `shell:${program} ${word} **`;
}

function ruleNaming(tool: string, args: JsonObject, { base }: RuleSurroundings): string | undefined {
  const { url, command, file, path = "." } = args;
  switch (tool) {
    case "search":
      return "search:*";
    case "scrape":
      return typeof url === "string" && URL.canParse(url) ? `scrape:${new URL(url).host}` : undefined;
    case "shell":
      return typeof command === "string" ? `shell:${command}` : undefined;
    case "write":
    case "edit":
      return typeof file === "string" ? globRule(tool, base, file) : undefined;
    case "replace":
      return typeof path === "string" ? globRule(tool, base, path) : undefined;
    default:
      return undefined;
  }
}

function globRule(tool: string, base: string, path: string): string | undefined {
  const place = placeOf(base, path);
  if (!place) return undefined;
  // A rule for the root itself would name no file.
  if (place.relative === ".") return undefined;
  return `${tool}:${literally(place.relative ?? place.absolute)}`;
}

/** A path as a glob for itself. */
function literally(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}

/** What rules say about a call, beside others. A rule must look exactly like the text to type. */
function decisionOf(
  rules: readonly string[],
  { call, tool }: Pick<ApprovalRequest, "call" | "tool">,
  surroundings: RuleSurroundings,
  others: readonly string[] = [],
): ApprovalDecision {
  if (rules.some((rule) => exact(rule) !== rule)) return "ask";
  try {
    return allowedBy(allowRules([...others, ...rules], surroundings), call, tool) ?? "ask";
  } catch {
    return "ask";
  }
}

/** Quotes a text that a shell could read in another way. */
function shellWord(word: string): string {
  return /^[\w.,:/@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
