import type { ToolSpec } from "@cogency/protocol";
import type { Approval, ApprovalRules, Registry, Tool, ToolAnnotations } from "@cogency/tools";
import type { ExecutionOptions } from "./agent-options.ts";

/**
 * The tools that are offered to the model: all except those whose every call would be refused, because it needs approval
 * and no `approve` is given. For runs whose questions do not wait. Calls `warn` once with the names of the tools left out.
 *
 * @param said the names that `warn` has been called with; it gets the others
 */
export function offeredTools(
  registry: Registry,
  { approval, hooks = [] }: Pick<ExecutionOptions, "approval" | "hooks"> = {},
  warn: (message: string) => void,
  said = new Set<string>(),
): readonly ToolSpec[] {
  // A hook may turn a call of a tool that cannot run into one of a tool that can.
  if (hooks.some(({ beforeToolUse }) => beforeToolUse)) return registry.specs();
  const refused = new Set(registry.names().filter((name) => !canRun(registry.get(name), approval)));
  if (refused.size === 0) return registry.specs();
  const unsaid = [...refused].filter((name) => !said.has(name));
  for (const name of unsaid) said.add(name);
  if (unsaid.length > 0)
    warn(
      `The model is not offered ${unsaid.join(", ")}: each call would need approval, and nobody is there to give it. ` +
        "Give `approve` to the run, or `execution.approval.approve` to the agent, which ask a person, or rules that allow it in " +
        "`execution.approval.policy`. With a `store` and a `keyRing`, calls wait for an answer that comes later, as on a server.",
    );
  return registry.specs().filter(({ name }) => !refused.has(name));
}

/** Whether a call of the tool may be approved: by a rule, by a policy function, or by a person. */
function canRun(tool: Tool, approval: Approval | undefined): boolean {
  if (!approval) return tool.approval === undefined || tool.approval === "allow";
  const { policy = {}, approve } = approval;
  return approve !== undefined || typeof policy === "function" || mayAllow(policy, tool);
}

function mayAllow({ tools = {}, annotations = {}, otherwise }: ApprovalRules, tool: Tool): boolean {
  if (Object.hasOwn(tools, tool.name)) {
    const own = tools[tool.name];
    return typeof own === "function" || isAllowed(own);
  }
  const hints = Object.keys(tool.annotations) as (keyof ToolAnnotations)[];
  const claimed = hints.filter((hint) => tool.annotations[hint] === true).map((hint) => annotations[hint]);
  const own = tool.approval === "allow" ? undefined : tool.approval;
  const decisions = [own, ...claimed].filter((decision) => decision !== undefined);
  if (decisions.length > 0) return decisions.every(isAllowed);
  if (otherwise !== undefined) return isAllowed(otherwise);
  return tool.approval === "allow" || tool.annotations.readOnlyHint === true;
}

function isAllowed(decision: unknown): boolean {
  return decision === "allow" || decision === "allow_anyway";
}
