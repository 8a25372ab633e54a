import type { ApprovalPolicy } from "@cogency/tools";
import { UsageError } from "../../base/errors/usage-error.ts";
import { allowedBy, allowRules, type RuleSurroundings } from "./allow-rules.ts";

/** What counts for calls until a turn ends, besides the rules that always do. */
export interface TurnRules {
  /** Rules as `--allow` takes them. */
  readonly allow: readonly string[];
  /** Whether the turn changes nothing: only tools that read run, and what one of these rules names is asked about as usual. */
  readonly readOnlyBut?: readonly string[] | undefined;
}

/** Why a rule would allow nothing here; undefined for one that counts. */
export function ruleProblem(rule: string, surroundings: RuleSurroundings): string | undefined {
  try {
    allowRules([rule], surroundings);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message.replace(/^--allow: /, "");
  }
}

/** Whether a turn forbids a call. */
export function forbiddenBy(
  { readOnlyBut }: TurnRules,
  surroundings: RuleSurroundings,
  ...[call, tool]: Parameters<ApprovalPolicy>
): boolean {
  if (readOnlyBut === undefined || tool.annotations.readOnlyHint === true) return false;
  // An agent in the background works on when the turn has ended, and nothing would forbid it a change then.
  if (call.name === "agent" && call.args.background === true) return true;
  // What a rule names does not depend on the sandbox here: it allows nothing.
  const named = { ...surroundings, isolated: true };
  const rules = allowRules(
    readOnlyBut.filter((rule) => ruleProblem(rule, named) === undefined),
    named,
  );
  return allowedBy(rules, call, tool) === undefined;
}
