import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { allowRules, type RuleSurroundings } from "./allow-rules.ts";
import type { Rules } from "./rules.ts";
import { namesServerTool } from "./server-rule.ts";
import { wideRules } from "./wide-rules.ts";

/** The rules of one file. */
export interface PlacedRules {
  readonly file: string;
  readonly rules: Rules;
}

/**
 * Joins the rules of files, and leaves out those that can never match: `tell` hears which, of which file, and why. An invalid rule
 * that denies or asks cannot be left out without a loss of safety, so it is an error.
 *
 * @throws UsageError for an invalid rule in `deny` or `ask`
 */
export function usableRules(
  placed: readonly PlacedRules[],
  surroundings: RuleSurroundings,
  tell: (text: string) => void,
): Required<Rules> {
  const isUnmatched = (file: string, rule: string, why: string) => {
    tell(oneLine(`The rule "${rule}" of ${file} never matches: ${why}`, 500));
    return false;
  };
  const joined = (list: "ask" | "deny") =>
    placed.flatMap(({ file, rules }) =>
      (rules[list] ?? [])
        .filter((rule) => {
          const problem = problemOf(() => wideRules([rule], surroundings));
          if (problem === undefined) return true;
          if (problem.startsWith("there is no tool")) return isUnmatched(file, rule, problem);
          throw new UsageError(`${file}: ${list} "${oneLine(rule, 100)}": ${problem}`);
        })
        .map((rule) => ({ file, rule })),
    );
  const deny = joined("deny");
  const ask = joined("ask");
  const allow = placed.flatMap(({ file, rules }) =>
    (rules.allow ?? []).filter((rule) => {
      const problem = problemOf(() => allowRules([rule], surroundings));
      const stronger = [...deny, ...ask].find((other) => covers(other.rule, rule));
      if (stronger) return isUnmatched(file, rule, `"${stronger.rule}" of ${stronger.file} is stronger.`);
      return problem === undefined || isUnmatched(file, rule, problem);
    }),
  );
  return { allow, ask: ask.map(({ rule }) => rule), deny: deny.map(({ rule }) => rule) };
}

function problemOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message.replace(/^--allow: /, "");
  }
}

/** Whether a stronger rule names all that another one names: it is the same, the whole tool, or a wider command or folder. */
function covers(stronger: string, rule: string): boolean {
  const { tools, pattern } = partsOf(stronger);
  const own = partsOf(rule);
  if (!own.tools.every((name) => tools.some((one) => one === name || namesToolsOf(one, name)))) return false;
  if (pattern === undefined || own.pattern === undefined) return pattern === undefined;
  if (pattern === own.pattern) return true;
  return pattern.endsWith("**") && `${own.pattern} `.startsWith(pattern.replace(/\*\*$/, ""));
}

/** Whether one rule about a server names all the tools that another one does. */
function namesToolsOf(stronger: string, rule: string): boolean {
  return namesServerTool(stronger, rule.replace(/#.*$/, ""));
}

function partsOf(rule: string): { tools: string[]; pattern: string | undefined } {
  const [, tools = rule, pattern] = /^([^:]*):(.*)$/s.exec(rule) ?? [];
  return { tools: tools.split(",").map((name) => name.trim()), pattern: pattern?.trim() };
}
