import type { JsonObject } from "@cogency/protocol";
import type { ApprovalDecision, ApprovalRequest } from "@cogency/tools";
import { exact } from "../../base/terminal/exact-text.ts";
import { allowRules, type RuleSurroundings } from "./allow-rules.ts";
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
  const works = rule !== undefined && decisionOf(rule, { call, tool }, surroundings) === "allow_anyway";
  const naming = works ? `--allow ${shellWord(rule)}` : undefined;
  const isByHost = call.name === "scrape" || call.name === "search";
  return { plain: isByHost && naming !== undefined ? naming : `--allow ${call.name}`, naming };
}

/**
 * The rules that would allow a call from now on, the narrowest first: for this command, file or host, and for more like it. A rule
 * that would not allow this very call is left out.
 */
export function rulesAllowing(
  { call, tool }: Pick<ApprovalRequest, "call" | "tool">,
  surroundings: RuleSurroundings,
): string[] {
  const candidates = [
    ruleNaming(call.name, call.args, surroundings),
    widerRule(call.name, call.args, surroundings),
  ].filter((rule) => rule !== undefined);
  return [...new Set(candidates)].filter((rule) =>
    ["allow", "allow_anyway"].includes(decisionOf(rule, { call, tool }, surroundings)),
  );
}

/** A rule for the folder of a file, or for the same command with other arguments. */
function widerRule(tool: string, { command, file }: JsonObject, { base }: RuleSurroundings): string | undefined {
  switch (tool) {
    case "shell":
      return typeof command === "string" ? commandRule(command) : undefined;
    case "write":
    case "edit": {
      const folder = typeof file === "string" ? placeOf(base, file)?.relative?.split("/").slice(0, -1) : undefined;
      return folder && folder.length > 0 ? `${tool}:${literally(folder.join("/"))}/**` : undefined;
    }
    default:
      return undefined;
  }
}

/** `git log **` for `git log --oneline`. None for programs that run others: what follows would be any command. */
function commandRule(command: string): string | undefined {
  const [program = "", word = "", ...rest] = command.trim().split(/\s+/);
  if (rest.length === 0 || !/^[a-z][\w-]*$/.test(word) || runsOthers.has(program)) return undefined;
  return `shell:${program} ${word} **`;
}

const runsOthers: ReadonlySet<string> = new Set(
  "bash bunx busybox command dash doas env exec eval find fish flock ionice ksh nice node nohup npx parallel perl php python python3 ruby script setsid sh ssh stdbuf strace su sudo time timeout uv uvx watch xargs zsh".split(
    " ",
  ),
);

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

/** What a rule alone says about a call. A rule must look exactly like the text to type. */
function decisionOf(
  rule: string,
  { call, tool }: Pick<ApprovalRequest, "call" | "tool">,
  surroundings: RuleSurroundings,
): ApprovalDecision {
  if (exact(rule) !== rule) return "ask";
  try {
    const own = allowRules([rule], surroundings)[call.name];
    return typeof own === "function" ? own(call, tool) : (own ?? "ask");
  } catch {
    return "ask";
  }
}

/** Quotes a text that a shell could read in another way. */
function shellWord(word: string): string {
  return /^[\w.,:/@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
