import { shellRule } from "@cogency/toolbox/shell";
import type { ApprovalDecision, ApprovalPolicy } from "@cogency/tools";
import { isAgentTool } from "../../base/tool-names.ts";
import type { RuleSurroundings } from "./allow-rules.ts";
import type { Mode } from "./mode.ts";
import { placeOf } from "./place-of.ts";

/**
 * What a mode decides about a call that no rule asks about or denies; undefined where it leaves that to the tool. A change of a file
 * is never more than allowed, so it asks where something speaks against it.
 */
export function modeRules(
  surroundings: RuleSurroundings,
): (mode: Mode, ...call: Parameters<ApprovalPolicy>) => ApprovalDecision | undefined {
  let held: ReturnType<typeof shellRule> | undefined;
  // Made when it is used: hosts that cannot be read are told where the tools are opened.
  const heldRule = () => shellRule([], { isolated: surroundings.isolated && "allow", hosts: surroundings.hosts });
  return (mode, call, tool) => {
    if (mode === "read-only" || mode === "plan")
      return tool.annotations.readOnlyHint === true || isAgentTool(call.name) ? undefined : "deny";
    if (mode === "yes") return "allow";
    if (mode !== "edits" && mode !== "sandboxed") return undefined;
    if (Object.hasOwn(pathOf, call.name)) return isBelow(surroundings.base, call) ? "allow" : undefined;
    if (mode === "edits") return undefined;
    held ??= heldRule();
    const decision = held(call, tool);
    return decision === "ask" ? undefined : decision;
  };
}

/** The tools that change files, and the argument that names which. */
const pathOf: Readonly<Record<string, string>> = { write: "file", edit: "file", replace: "path" };

function isBelow(base: string, { name, args }: Parameters<ApprovalPolicy>[0]): boolean {
  const path = args[pathOf[name] ?? ""] ?? (name === "replace" ? "." : undefined);
  return typeof path === "string" && placeOf(base, path)?.relative !== undefined;
}
