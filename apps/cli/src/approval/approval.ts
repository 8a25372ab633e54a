import type { Approval, ApprovalAnswer, ApprovalPolicy, ApprovalRequest } from "@cogency/tools";
import { note } from "../terminal/note.ts";
import { type AllowRules, allowRules, allowTool, type RuleSurroundings } from "./allow-rules.ts";
import type { Asker } from "./asker.ts";
import { exact } from "./exact-text.ts";
import { ruleFor } from "./rule-for.ts";

export interface ApprovalOptions {
  /** Runs every tool without a question, unless something speaks against a call. */
  yes?: true;
  /** Asks nothing, and denies every call that would need a question. */
  deny?: true;
  /** Without a terminal, leaves calls that ask open, instead of denying them. */
  wait?: true;
  /** Rules for calls that run without a question; see `allowRules`. */
  allow?: readonly string[];
  /** Whether private or untrusted content in the conversation makes calls ask. Defaults to `"ask"`. */
  content?: "ask" | "allow";
}

/**
 * Decides which calls run: those that the options allow, those that need no approval, and those that a person agrees to. Without
 * `asker`, all others are denied, or wait for an answer with `wait`.
 *
 * @throws UsageError for an invalid rule in `allow`
 */
export function createApproval(
  { yes, deny, wait, allow = [], content = "ask" }: ApprovalOptions,
  surroundings: RuleSurroundings,
  asker: Asker | undefined,
): Approval {
  const tools = allowRules(allow, surroundings);
  const policy = yes ? allowAll(tools) : { tools };
  const deniedAs = (why: string): Approval => ({
    policy,
    content,
    approve: async (request) => denied(request, why, surroundings),
  });
  if (deny) return deniedAs("the user has denied what would be asked");
  if (!asker) return wait ? { policy, content } : deniedAs("there is no terminal to ask at");
  return {
    policy,
    content,
    async approve(request) {
      const { concerns, signal } = request;
      // This call was to ask, but meanwhile an earlier one was answered with "always".
      if (concerns.length === 0 && isAllowed(request, tools)) return { approved: true };
      if (signal.aborted) return { approved: false };
      if (!asker.canAnswer()) {
        return denied(request, "the input has ended, so no person can be asked", surroundings);
      }
      const canBeAlways = concerns.length === 0;
      const { approved, always, reason } = await asker.ask(request, canBeAlways);
      if (approved && always && canBeAlways) allowTool(tools, request.call.name);
      return approved ? { approved } : { approved, reason: reason ?? "the user said no." };
    },
  };
}

function isAllowed({ call, tool }: ApprovalRequest, rules: AllowRules): boolean {
  const own = Object.hasOwn(rules, call.name) ? rules[call.name] : undefined;
  return (typeof own === "function" ? own(call, tool) : own) !== "ask" && own !== undefined;
}

/** Allows all calls. A rule that names a call still allows it anyway. */
function allowAll(rules: AllowRules): ApprovalPolicy {
  return (call, tool) => {
    const own = Object.hasOwn(rules, call.name) ? rules[call.name] : undefined;
    return typeof own === "function" && own(call, tool) === "allow_anyway" ? "allow_anyway" : "allow";
  };
}

/**
 * Denies a call. The model reads the reason, and the caution of a tool may quote files that the model has not read. So the
 * reason never mentions a caution; the person reads it on stderr.
 */
function denied(request: ApprovalRequest, why: string, surroundings: RuleSurroundings): ApprovalAnswer {
  const { call, concerns } = request;
  const cautions = concerns.filter(({ kind }) => kind === "caution");
  for (const caution of cautions) note(`${exact(call.name)} needs approval: ${exact(caution.why)}`);
  const known = concerns.filter(({ kind }) => kind !== "caution").map((concern) => concern.why);
  const rule = ruleFor(request, surroundings);
  if (known.length === 0) {
    const careful = rule.naming === undefined ? "by answering" : `with ${rule.naming}, or by answering`;
    const means =
      rule.plain === rule.naming
        ? `with ${rule.plain} or --yes`
        : `with ${rule.plain} or --yes; where something speaks against this very call, ${careful} at a terminal`;
    return { approved: false, reason: `it needs approval, and ${why}. The user can allow it ${means}.` };
  }
  const isEcho = concerns.some(({ kind }) => kind === "echo");
  const means = isEcho || rule.naming === undefined ? "only by answering" : `with ${rule.naming}, or by answering`;
  return {
    approved: false,
    reason: `${known.join(" ")} So it needs approval, and ${why}. The user can allow it ${means} at a terminal.`,
  };
}
