import type { JsonObject } from "@cogency/protocol";
import type { ApprovalRequest } from "@cogency/tools";
import { allowRules, type RuleSurroundings } from "./allow-rules.ts";
import { exact } from "./exact-text.ts";
import { placeOf } from "./place-of.ts";

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
  // The rule must allow this call, and must look exactly like the text to type.
  const works = rule !== undefined && exact(rule) === rule && allows(rule, { call, tool }, surroundings);
  const naming = works ? `--allow ${shellWord(rule)}` : undefined;
  const isByHost = call.name === "scrape" || call.name === "search";
  return { plain: isByHost && naming !== undefined ? naming : `--allow ${call.name}`, naming };
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
  return `${tool}:${(place.relative ?? place.absolute).replace(/[\\*?[\]{}]/g, "\\$&")}`;
}

function allows(
  rule: string,
  { call, tool }: Pick<ApprovalRequest, "call" | "tool">,
  surroundings: RuleSurroundings,
): boolean {
  try {
    const own = allowRules([rule], surroundings)[call.name];
    return typeof own === "function" && own(call, tool) === "allow_anyway";
  } catch {
    return false;
  }
}

/** Quotes a text that a shell could read in another way. */
function shellWord(word: string): string {
  return /^[\w.,:/@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
