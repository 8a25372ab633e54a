import type { LoggedCall } from "../batch/call-pipeline.ts";
import type { Tool, ToolAnnotations } from "../tool.ts";
import type { Approval, ApprovalDecision, ApprovalPolicy, ApprovalRules } from "./approval.ts";

/** What the host wants done with a call; `cause` is what its policy threw. */
export function decide(
  approval: Approval | undefined,
  call: LoggedCall,
  tool: Tool,
): { decision: ApprovalDecision; cause?: unknown } {
  // The host chose the tools, and asked for no more than they do themselves.
  if (!approval) return { decision: tool.approval ?? "allow" };
  const { policy = {} } = approval;
  try {
    const decision: unknown = typeof policy === "function" ? policy(call, tool) : byRules(policy, call, tool);
    if (decision === "allow" || decision === "ask") return { decision };
    // An async function is no policy, and nobody else would hear its promise reject.
    Promise.resolve(decision).catch(() => {});
    return { decision: "deny" };
  } catch (cause) {
    return { decision: "deny", cause };
  }
}

function byRules({ tools = {}, annotations = {}, otherwise }: ApprovalRules, call: LoggedCall, tool: Tool) {
  const own: ApprovalDecision | ApprovalPolicy | undefined = Object.hasOwn(tools, tool.name)
    ? tools[tool.name]
    : undefined;
  if (typeof own === "function") return own(call, tool);
  return own ?? tool.approval ?? strictest(annotations, tool.annotations) ?? otherwise ?? unruled(tool);
}

/** In the order of strictness. */
const decisions: readonly ApprovalDecision[] = ["deny", "ask", "allow"];

function strictest(rules: NonNullable<ApprovalRules["annotations"]>, annotations: ToolAnnotations) {
  const hints = Object.keys(annotations) as (keyof ToolAnnotations)[];
  const ruled = hints.filter((hint) => annotations[hint] === true).map((hint) => rules[hint]);
  return decisions.find((decision) => ruled.includes(decision));
}

function unruled({ annotations }: Tool): ApprovalDecision {
  return annotations.readOnlyHint === true ? "allow" : "ask";
}
