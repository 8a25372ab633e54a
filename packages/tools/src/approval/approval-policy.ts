import type { BatchContext } from "../executor.ts";
import type { LoggedCall } from "../logged-call.ts";
import type { Tool, ToolAnnotations } from "../tool.ts";
import type { Allowed } from "./allowed.ts";
import type { Approval, ApprovalDecision, ApprovalPolicy, ApprovalRules, ExplainedDecision } from "./approval.ts";

/** A decision about a call. `allowed` says what it rests on, if the call runs by it. */
interface Decided {
  readonly decision: ApprovalDecision;
  readonly allowed: Allowed;
  readonly cause?: unknown;
}

/** The decision of the host's policy about a call. A policy that throws denies; `cause` is what it threw. */
export function decide(
  approval: Approval | undefined,
  call: LoggedCall,
  tool: Tool,
  { conversation, user, agents }: Pick<BatchContext, "conversation" | "user" | "agents">,
): Decided {
  // A host without an approval option trusts the tools that it chose, and their own `approval`.
  if (!approval) return { decision: tool.approval ?? "allow", allowed: ofTool(tool) };
  const { policy = {} } = approval;
  const origin = { conversation, user, ...(agents && { agents }) };
  try {
    const said: unknown =
      typeof policy === "function" ? policy(call, tool, origin) : byRules(policy, call, tool, origin);
    const { decision, allowed } = explained(said);
    if (decision === "allow" || decision === "allow_anyway" || decision === "ask") return { decision, allowed };
    // An async function is not a valid policy. Its rejection must not stay unhandled.
    Promise.resolve(said).catch(() => {});
    return { decision: "deny", allowed };
  } catch (cause) {
    return { decision: "deny", allowed: byPolicy, cause };
  }
}

/** Reads what a policy returned. A name that is not a text is left out: it decides nothing. */
function explained(said: unknown): { decision: unknown; allowed: Allowed } {
  if (typeof said !== "object" || said === null) return { decision: said, allowed: byPolicy };
  const { decision, by, rule, from } = said as { [name in keyof ExplainedDecision]?: unknown };
  const known = reasons.find((one) => one === by) ?? (typeof rule === "string" ? "rule" : "policy");
  const named = {
    ...(typeof rule === "string" && { rule: rule.toWellFormed() }),
    ...(typeof from === "string" && { from: from.toWellFormed() }),
  };
  return { decision, allowed: { by: known, ...named } };
}

const reasons = ["rule", "mode", "policy", "read-only", "tool"] as const;
const byPolicy: Allowed = { by: "policy" };

function ofTool({ approval, annotations }: Tool): Allowed {
  return { by: approval === undefined && annotations.readOnlyHint === true ? "read-only" : "tool" };
}

function byRules(
  { tools = {}, annotations = {}, otherwise }: ApprovalRules,
  call: LoggedCall,
  tool: Tool,
  origin: Parameters<ApprovalPolicy>[2],
): unknown {
  const by = (rule: string, decision: unknown) => ({ decision, by: "rule", rule });
  if (Object.hasOwn(tools, tool.name)) {
    const own = tools[tool.name];
    const decision: unknown = typeof own === "function" ? own(call, tool, origin) : own;
    return typeof decision === "object" && decision !== null ? decision : by(`tools.${tool.name}`, decision);
  }
  const hints = Object.keys(tool.annotations) as (keyof ToolAnnotations)[];
  const claimed = hints.filter((hint) => tool.annotations[hint] === true);
  // That a tool needs no question is its own word, which counts where the host has none.
  const own = tool.approval === "allow" ? undefined : tool.approval;
  const strict = strictest([own, ...claimed.map((hint) => annotations[hint])]);
  if (strict !== undefined) {
    const hint = claimed.find((one) => annotations[one] === strict);
    return hint === undefined ? { decision: strict, by: "tool" } : by(`annotations.${hint}`, strict);
  }
  if (otherwise !== undefined) return by("otherwise", otherwise);
  return { decision: unruled(tool), ...ofTool(tool) };
}

/** The strictest decision. An invalid one counts as `deny`. */
function strictest(decisions: readonly (ApprovalDecision | undefined)[]): ApprovalDecision | undefined {
  const given = decisions.filter((decision) => decision !== undefined);
  if (given.length === 0) return undefined;
  return order.find((decision) => given.some((other) => other === decision || !order.includes(other))) ?? "deny";
}

/** The strictest first. */
const order: readonly ApprovalDecision[] = ["deny", "ask", "allow", "allow_anyway"];

function unruled({ approval, annotations }: Tool): ApprovalDecision {
  return approval === "allow" || annotations.readOnlyHint === true ? "allow" : "ask";
}
