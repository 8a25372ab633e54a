import { type ToolboxTool, toolboxToolNames } from "@cogency/toolbox";
import { UsageError } from "./errors/usage-error.ts";
import { oneLine } from "./terminal/text.ts";

/** A tool that `--tools` and `--allow` can name. */
export type ToolName = ToolboxTool | "read_result" | "skill" | "plan";

export const toolNames: readonly ToolName[] = [...toolboxToolNames, "read_result", "skill", "plan"];

export function isToolboxTool(name: ToolName): name is ToolboxTool {
  return toolboxToolNames.some((one) => one === name);
}

export function isToolName(name: string): name is ToolName {
  return toolNames.some((one) => one === name);
}

/**
 * Reads the value of an option that names tools, separated by commas.
 *
 * @throws UsageError for a name that no tool has
 */
export function namedTools(option: string, text: string): ToolName[] {
  return text.split(",").map((part) => {
    const name = toolNames.find((one) => one === part.trim());
    if (name) return name;
    throw new UsageError(
      `${option}: there is no tool "${oneLine(part, 60)}". There are ${toolNames.join(", ")}, separated by commas.`,
    );
  });
}
