import type { ApprovalPolicy } from "@cogency/tools";
import { type AllowRules, allowedBy, allowRules, type RuleSurroundings } from "./allow-rules.ts";

/** Rules that allow calls, and where they stand. */
export interface PlacedAllow {
  /** Such as a file, or `this session`. */
  readonly from: string;
  readonly allow: readonly string[];
}

/** A rule that has allowed a call, and where it stands; several where only all of them together did, as for a script. */
export interface NamedRule {
  readonly rule: string;
  readonly from: string;
}

/** Finds which of the rules that allow a call did so: the first that does alone, else the fewest that do together. */
export function ruleNamer(
  surroundings: RuleSurroundings,
): (placed: readonly PlacedAllow[], ...call: Parameters<ApprovalPolicy>) => NamedRule | undefined {
  const read = new Map<string, AllowRules>();
  const rulesOf = (rule: string) => {
    const known = read.get(rule) ?? allowRules([rule], surroundings);
    read.set(rule, known);
    return known;
  };
  return (placed, call, tool) => {
    const all = placed.flatMap(({ from, allow }) => allow.map((rule) => ({ rule, from })));
    const alone = all.find(({ rule }) => allowedBy(rulesOf(rule), call, tool) !== undefined);
    if (alone) return alone;
    // Each command of a script may be allowed by another rule.
    let needed = all.filter(({ rule }) => rule.includes(":")).slice(0, mostTogether);
    const isAllowed = (some: readonly NamedRule[]) =>
      allowedBy(
        allowRules(
          some.map(({ rule }) => rule),
          surroundings,
        ),
        call,
        tool,
      ) !== undefined;
    if (!isAllowed(needed)) return undefined;
    for (const one of needed) {
      const others = needed.filter((other) => other !== one);
      if (isAllowed(others)) needed = others;
    }
    return {
      rule: needed.map(({ rule }) => rule).join(", "),
      from: [...new Set(needed.map(({ from }) => from))].join(", "),
    };
  };
}

/** Rules that are tried together: each try reads them anew. */
const mostTogether = 100;
