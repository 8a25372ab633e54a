import { type ToolboxTool, toolboxToolNames } from "@cogency/toolbox";
import { UsageError } from "./errors/usage-error.ts";
import { oneLine } from "./terminal/text.ts";

/** A tool that `--tools` and `--allow` can name. */
export type ToolName = ToolboxTool | "read_result" | "skill" | "plan" | AgentTool;

/** The tools that start agents and wait for them. They change nothing themselves: what an agent does is judged call by call. */
export type AgentTool = "agent" | "agent_result";

export const agentTools: readonly AgentTool[] = ["agent", "agent_result"];

export const toolNames: readonly ToolName[] = [...toolboxToolNames, "read_result", "skill", "plan", ...agentTools];

/** Names that no tool of an extension may have: those above, and that of the tool which comes and goes with a mode. */
export const takenNames: readonly string[] = [...toolNames, "present_plan"];

export function isToolboxTool(name: ToolName): name is ToolboxTool {
  return toolboxToolNames.some((one) => one === name);
}

export function isAgentTool(name: string): name is AgentTool {
  return agentTools.some((one) => one === name);
}

export function isToolName(name: string): name is ToolName {
  return toolNames.some((one) => one === name);
}

/**
 * Reads the value of an option that names tools, separated by commas.
 *
 * @param others names besides those of the app's own tools
 * @throws UsageError for a name that no tool has
 */
export function namedTools<Other extends string = never>(
  option: string,
  text: string,
  others: readonly Other[] = [],
): (ToolName | Other)[] {
  return text.split(",").map((part) => {
    const name = [...toolNames, ...others].find((one) => one === part.trim());
    if (name) return name;
    throw new UsageError(
      `${option}: there is no tool "${oneLine(part, 60)}". There are ${toolNames.join(", ")}, separated by commas.`,
    );
  });
}
