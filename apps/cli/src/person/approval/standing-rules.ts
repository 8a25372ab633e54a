import type { ApprovalDecision, ApprovalPolicy, ApprovalRequest } from "@cogency/tools";
import { noteOnce } from "../../base/terminal/note.ts";
import type { RuleSurroundings } from "../../place/rules/allow-rules.ts";
import type { KeptRules } from "../../place/rules/kept-rules.ts";
import { type NamedRule, ruleNamer } from "../../place/rules/named-rule.ts";
import { rulesAllowing } from "../../place/rules/rule-for.ts";
import { decisionBy, type Rules } from "../../place/rules/rules.ts";
import { isOfUnknownServer } from "../../place/rules/server-rule.ts";
import { type SessionRules, sessionRules } from "../../place/rules/session-rules.ts";
import { usableRules } from "../../place/rules/usable-rules.ts";
import type { OfferedRule, RuleTerm } from "./asker.ts";

/** The rules that count for calls now, and those that a person may choose instead of a single yes. */
export interface StandingRules {
  /** Undefined for a call that no rule names. */
  decide(...call: Parameters<ApprovalPolicy>): ApprovalDecision | undefined;
  /** The rule that allows a call, and where it stands; undefined if none does, or its place is not known. */
  named(...call: Parameters<ApprovalPolicy>): NamedRule | undefined;
  /** Whether the rules, together with others, allow a call. */
  allowsWith(others: readonly string[], ...call: Parameters<ApprovalPolicy>): boolean;
  /**
   * The rules to offer for a call, the narrowest first. None where another rule asks or denies, and none where something speaks
   * against this call: it may speak against the next one, too, so that stays a question.
   */
  offeredFor(request: Pick<ApprovalRequest, "call" | "tool"> & { concerns: readonly unknown[] }): OfferedRule[];
  /** Resolves when the rule counts, for as long as that. */
  learn(rule: OfferedRule, term: RuleTerm): Promise<void>;
}

/**
 * @param allow the rules of the command line; stderr names those about servers that are not here
 * @param kept those of files; without it, no rule is offered
 * @param session those of this session, which may be dropped at any time
 * @throws UsageError for an invalid rule
 */
export function standingRules(
  allow: readonly string[],
  surroundings: RuleSurroundings,
  kept?: KeptRules,
  session: SessionRules = sessionRules(),
): StandingRules {
  const typed = allow.flatMap((rule) => ofKnownServers(rule, surroundings));
  let read: { kept: Rules | undefined; session: readonly string[] } | undefined;
  let known: { allow: readonly string[]; decide: StandingRules["decide"] } | undefined;
  /** Another process may have kept a rule meanwhile, and a person may have dropped one. */
  const now = () => {
    const found = { kept: kept?.now(), session: session.now() };
    if (known && found.kept === read?.kept && found.session === read?.session) return known;
    const lasting = [...typed, ...(found.kept?.allow ?? [])];
    const all = [...lasting, ...usableInSession(found.session, surroundings)];
    const [byLasting, byAll] = [lasting, all].map((allow) => decisionBy({ ...found.kept, allow }, surroundings));
    const decide: StandingRules["decide"] = (...call) => byLasting?.(...call) ?? weaker(byAll?.(...call));
    known = { allow: all, decide };
    read = found;
    return known;
  };
  now();
  const nameOf = ruleNamer(surroundings);
  const decide: StandingRules["decide"] = (call, tool) => now().decide(call, tool);
  return {
    decide,
    named(call, tool) {
      const ofFiles = kept?.placed?.() ?? [];
      const placed = [
        { from: "--allow or the configuration", allow: typed },
        ...ofFiles.map(({ file, rules }) => ({ from: file, allow: rules.allow ?? [] })),
        { from: "this session", allow: usableInSession(session.now(), surroundings) },
      ];
      return nameOf(placed, call, tool);
    },
    allowsWith(others, call, tool) {
      if (others.length === 0) return false;
      const decision = decisionBy({ ...kept?.now(), allow: [...now().allow, ...others] }, surroundings)(call, tool);
      return decision === "allow" || decision === "allow_anyway";
    },
    offeredFor({ call, tool, concerns }) {
      if (!kept || concerns.length > 0 || decide(call, tool) !== undefined) return [];
      return rulesAllowing({ call, tool }, surroundings, now().allow).map((own): OfferedRule => {
        return { text: own.join(", "), file: kept.file, ...(own.length > 1 && { rules: own }) };
      });
    },
    async learn({ text, rules = [text] }, term) {
      if (term === "session") session.add(rules);
      else for (const rule of rules) await kept?.add(rule);
    },
  };
}

/** A rule of the session allows a call unless something speaks against it. */
function weaker(decision: ApprovalDecision | undefined): ApprovalDecision | undefined {
  return decision === "allow_anyway" ? "allow" : decision;
}

/** What a value of `--allow` names without tools of servers that are not here: those of another folder may be in a configuration. */
function ofKnownServers(value: string, { servers = [] }: RuleSurroundings): string[] {
  if (value.includes(":")) return [value];
  const names = value.split(",").filter((name) => {
    if (!isOfUnknownServer(name.trim(), servers)) return true;
    noteOnce(
      `The rule "${name.trim()}" of --allow or the configuration never matches: there is no such MCP server here.`,
    );
    return false;
  });
  return names.length > 0 ? [names.join(",")] : [];
}

/** Those that mean something here: the sandbox may be another one than when the person chose them. */
function usableInSession(allow: readonly string[], surroundings: RuleSurroundings): readonly string[] {
  const { allow: usable = [] } = usableRules([{ file: "this session", rules: { allow } }], surroundings, () => {});
  return usable;
}
