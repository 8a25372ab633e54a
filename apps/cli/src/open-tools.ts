import type { Store } from "@cogency/storage";
import { type Access, ToolboxError, type ToolboxTool, toolbox } from "@cogency/toolbox";
import { readResultTool, type Tool } from "@cogency/tools";
import { searchBackend } from "./search-backend.ts";
import type { ToolName } from "./tool-names.ts";
import { UsageError } from "./usage-error.ts";

export interface ToolOptions {
  root: string;
  access: Access;
  /** All that have what they need when absent. */
  tools?: readonly ToolName[];
}

/**
 * The tools of a run.
 *
 * @throws UsageError for a root that cannot be used, or a search service that cannot be
 */
export async function openTools({ root, access, tools: names }: ToolOptions, store: Store): Promise<Tool[]> {
  const include = names?.filter((name): name is ToolboxTool => name !== "read_result");
  const search = searchBackend(process.env);
  try {
    const tools = await toolbox({ root, access, store, search, include });
    return names?.includes("read_result") === false ? tools : [...tools, readResultTool()];
  } catch (error) {
    if (error instanceof ToolboxError) throw new UsageError(`--root: ${error.message}`, { cause: error });
    throw error;
  }
}
