import type { BatchContext } from "../executor.ts";
import type { LoggedCall } from "../logged-call.ts";
import type { Tool, ToolAnnotations } from "../tool.ts";
import type { Approval, ApprovalDecision, ApprovalRules, CallOrigin } from "./approval.ts";

/** The decision of the host's policy about a call. A policy that throws denies; `cause` is what it threw. */
export function decide(
  approval: Approval | undefined,
  call: LoggedCall,
  tool: Tool,
  { conversation, user, agents }: Pick<BatchContext, "conversation" | "user" | "agents">,
): { decision: ApprovalDecision; cause?: unknown } {
  // A host without an approval option trusts the tools that it chose, and their own `approval`.
  if (!approval) return { decision: tool.approval ?? "allow" };
  const { policy = {} } = approval;
  const origin: CallOrigin = { conversation, user, ...(agents && { agents }) };
  try {
    const decision: unknown =
      typeof policy === "function" ? policy(call, tool, origin) : byRules(policy, call, tool, origin);
    if (decision === "allow" || decision === "allow_anyway" || decision === "ask") return { decision };
    // An async function is not a valid policy. Its rejection must not stay unhandled.
    Promise.resolve(decision).catch(() => {});
    return { decision: "deny" };
  } catch (cause) {
    return { decision: "deny", cause };
  }
}

function byRules(
  { tools = {}, annotations = {}, otherwise }: ApprovalRules,
  call: LoggedCall,
  tool: Tool,
  origin: CallOrigin,
) {
  if (Object.hasOwn(tools, tool.name)) {
    const own = tools[tool.name];
    return typeof own === "function" ? own(call, tool, origin) : own;
  }
  const hints = Object.keys(tool.annotations) as (keyof ToolAnnotations)[];
  const claimed = hints.filter((hint) => tool.annotations[hint] === true);
  // That a tool needs no question is its own word, which counts where the host has none.
  const own = tool.approval === "allow" ? undefined : tool.approval;
  return strictest([own, ...claimed.map((hint) => annotations[hint])]) ?? otherwise ?? unruled(tool);
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
