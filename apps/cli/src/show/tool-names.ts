import type { ToolboxTool } from "@cogency/toolbox";
import { UsageError } from "../errors/usage-error.ts";
import { oneLine } from "../terminal/text.ts";

/** What `--tools` and `--allow` may name. */
export type ToolName = ToolboxTool | "read_result";

const places: Record<ToolName, true> = {
  read: true,
  write: true,
  edit: true,
  list: true,
  find: true,
  replace: true,
  shell: true,
  scrape: true,
  search: true,
  recall: true,
  read_result: true,
};

const toolNames = Object.keys(places) as readonly ToolName[];

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(places, name);
}

/**
 * The tools that an option names, separated by commas.
 *
 * @throws UsageError if there is no such tool
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
