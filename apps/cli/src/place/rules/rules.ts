import type { ApprovalDecision, ApprovalPolicy } from "@cogency/tools";
import { allowedBy, allowRules, type RuleSurroundings } from "./allow-rules.ts";
import { wideRules } from "./wide-rules.ts";

/** Rules by what they say, each a tool or a call; see `allowRules`. */
export interface Rules {
  readonly allow?: readonly string[] | undefined;
  /** Calls that are asked about, whatever is allowed. */
  readonly ask?: readonly string[] | undefined;
  /** Calls that do not run, whatever is allowed. */
  readonly deny?: readonly string[] | undefined;
}

/**
 * Makes one decision of all rules: deny beats ask, and ask beats allow, wherever they stand. Undefined for a call that no
 * rule names.
 *
 * @throws UsageError for an invalid rule
 */
export function decisionBy(
  { allow = [], ask = [], deny = [] }: Rules,
  surroundings: RuleSurroundings,
): (...call: Parameters<ApprovalPolicy>) => ApprovalDecision | undefined {
  const allowed = allowRules(allow, surroundings);
  const asks = wideRules(ask, surroundings);
  const denies = wideRules(deny, surroundings);
  return (call, tool) => {
    const denied = denies(call);
    if (denied === "named") return "deny";
    // What cannot be compared with a rule may be what it names.
    if (denied === "perhaps" || asks(call) !== "other") return "ask";
    return allowedBy(allowed, call, tool);
  };
}
