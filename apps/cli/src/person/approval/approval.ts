import type { Approval, ApprovalAnswer, ApprovalDecision, ApprovalPolicy, ApprovalRequest, Tool } from "@cogency/tools";
import { exact } from "../../base/terminal/exact-text.ts";
import { note } from "../../base/terminal/note.ts";
import type { Options } from "../../place/config/option-table.ts";
import { type Doubt, type KnownDefinitions, knownDefinitions } from "../../place/definitions/known-definitions.ts";
import type { RuleSurroundings } from "../../place/rules/allow-rules.ts";
import type { KeptRules } from "../../place/rules/kept-rules.ts";
import { type ModeChoice, modeOf } from "../../place/rules/mode.ts";
import { modeRules } from "../../place/rules/mode-rules.ts";
import { ruleFor } from "../../place/rules/rule-for.ts";
import type { SessionRules } from "../../place/rules/session-rules.ts";
import { forbiddenBy, type TurnRules } from "../../place/rules/turn-rules.ts";
import type { Asker } from "./asker.ts";
import { standingRules } from "./standing-rules.ts";

/** A decision with the rule or the mode that it rests on. */
type ExplainedDecision = Exclude<ReturnType<ApprovalPolicy>, string>;

/** Which calls run without a question, and what happens to the others. */
export interface ApprovalOptions extends ModeChoice, Options<"wait" | "allow" | "content"> {}

/** What may change while an approval is used. */
export interface ApprovalNow {
  /** The options of the mode. Defaults to those of the approval. */
  mode?: () => ModeChoice;
  /** The rules of the turn that goes on. Defaults to none. */
  turn?: () => TurnRules;
  /** The rules of this session. Without it, they count as long as the approval. */
  session?: SessionRules | undefined;
  /** Those of servers' tools. Defaults to those of the user's file. */
  definitions?: KnownDefinitions | undefined;
  /** Without it, no other process can say which definition a question is about. */
  asked?: AskedTools | undefined;
}

/** The tools of servers about which this process may ask. */
export interface AskedTools {
  /** Where the server of a tool is from; see `serverSentences`. */
  placeOf(tool: Tool): string | undefined;
  /** Called before a question about the tool is logged. */
  keep(tool: Tool): void;
}

/**
 * Decides which calls run: those that the options allow, those that need no approval, and those that a person agrees to. Without
 * `asker`, all others are denied, or wait for an answer with `wait`.
 *
 * @param kept without it, no rule is offered in place of a yes
 * @param now what counts when a call is decided about
 * @throws UsageError for an invalid rule in `allow`
 */
export function createApproval(
  options: ApprovalOptions,
  surroundings: RuleSurroundings,
  asker: Asker | undefined,
  kept?: KeptRules,
  now: ApprovalNow = {},
): Approval {
  const { wait, allow = [], content = "ask" } = options;
  const {
    mode: modeNow = () => options,
    turn: turnNow = () => ({ allow: [] }),
    session,
    definitions = knownDefinitions(),
    asked,
  } = now;
  const rules = standingRules(allow, surroundings, kept, session);
  const byMode = modeRules(surroundings);
  const byRules = (...[call, tool, origin]: Parameters<ApprovalPolicy>): ExplainedDecision => {
    const mode = modeOf(modeNow());
    const decision = byMode(mode, call, tool);
    if (decision === "deny") return { decision };
    const turn = turnNow();
    if (forbiddenBy(turn, surroundings, call, tool)) return { decision: "deny" };
    const ruled = rules.decide(call, tool);
    // What a rule asks about or denies does not run by a mode.
    if (ruled === "ask" || ruled === "deny") return { decision: ruled };
    if (ruled === "allow_anyway") return { decision: ruled, by: "rule", ...rules.named(call, tool) };
    if (decision === "allow_anyway") return { decision, by: "mode", rule: mode };
    if (ruled !== undefined) return { decision: ruled, by: "rule", ...rules.named(call, tool) };
    if (decision !== undefined) return { decision, by: "mode", rule: mode };
    // An agent below may be one in the background, of another turn than this.
    const allow = origin?.agents === undefined ? turn.allow : [];
    // A rule of a turn was written before its calls were known: what speaks against one asks.
    return rules.allowsWith(allow, call, tool)
      ? { decision: "allow", by: "rule", rule: allow.join(", "), from: "the command of this turn" }
      : unruled(tool);
  };
  const policy = (...[call, tool, origin]: Parameters<ApprovalPolicy>): ExplainedDecision => {
    const decided = byRules(call, tool, origin);
    if (tool.definedBy === undefined || decided.decision === "deny") return decided;
    // One that is allowed may ask for another reason.
    asked?.keep(tool);
    if (!isAllowed(decided)) return decided;
    // The person allowed another tool than this one has become.
    if (definitions.doubtAbout(tool)) return { decision: "ask" };
    void definitions.learn(tool);
    return decided;
  };
  /** Also a yes that was given in another process makes the definition known. */
  const answered: Approval["answered"] = ({ tool }, { approved }) => (approved ? definitions.learn(tool) : undefined);
  if (!asker && wait && !modeNow().deny) return { policy, content, answered };
  return {
    policy,
    content,
    answered,
    async approve(request) {
      const { concerns, signal, tool } = request;
      const doubt = definitions.doubtAbout(tool);
      const deny = (why: string) => denied(request, why, surroundings, doubt);
      if (modeNow().deny) return deny("the user has denied what would be asked");
      if (!asker) return deny("there is no terminal to ask at");
      // This call was to ask, but meanwhile an earlier one was answered with a rule.
      if (concerns.length === 0 && isAllowed(policy(request.call, request.tool, request))) return { approved: true };
      if (signal.aborted) return { approved: false };
      if (!asker.canAnswer()) return deny("the input has ended, so no person can be asked");
      const offered = rules.offeredFor(request);
      const {
        approved,
        rule,
        term = "session",
        reason,
      } = await asker.ask({ ...request, place: asked?.placeOf(tool), doubt }, offered);
      if (!approved) return { approved, reason: reason ?? "the user said no." };
      if (rule && offered.includes(rule)) await rules.learn(rule, term);
      return { approved };
    },
  };
}

function isAllowed({ decision }: { decision: ApprovalDecision }): boolean {
  return decision === "allow" || decision === "allow_anyway";
}

/** As tools are decided about without a rule. */
function unruled({ approval, annotations }: Tool): ExplainedDecision {
  if (approval !== undefined) return { decision: approval, by: "tool" };
  return annotations.readOnlyHint === true ? { decision: "allow", by: "read-only" } : { decision: "ask" };
}

/**
 * Denies a call. The model reads the reason, and the caution of a tool may quote files that the model has not read. So the
 * reason never mentions a caution; the person reads it on stderr.
 */
function denied(
  request: ApprovalRequest,
  why: string,
  surroundings: RuleSurroundings,
  doubt: Doubt | undefined,
): ApprovalAnswer {
  const { call, concerns } = request;
  const cautions = concerns.filter(({ kind }) => kind === "caution");
  for (const caution of cautions) note(`${exact(call.name)} needs approval: ${exact(caution.why)}`);
  const known = [
    ...(doubt ? [doubt.why] : []),
    ...concerns.filter(({ kind }) => kind !== "caution").map((concern) => concern.why),
  ];
  const rule = ruleFor(request, surroundings);
  if (known.length === 0) {
    const careful = rule.naming === undefined ? "by answering" : `with ${rule.naming}, or by answering`;
    const means =
      rule.plain === rule.naming
        ? `with ${rule.plain} or --yes`
        : `with ${rule.plain} or --yes; where something speaks against this very call, ${careful} at a terminal`;
    return { approved: false, reason: `it needs approval, and ${why}. The user can allow it ${means}.` };
  }
  const isForPerson = doubt !== undefined || concerns.some(({ kind }) => kind === "echo");
  const means = isForPerson || rule.naming === undefined ? "only by answering" : `with ${rule.naming}, or by answering`;
  return {
    approved: false,
    reason: `${known.join(" ")} So it needs approval, and ${why}. The user can allow it ${means} at a terminal.`,
  };
}
