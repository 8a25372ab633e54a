import type { Tool } from "@cogency/tools";
import { findTool } from "./files/find-tool.ts";
import { listTool } from "./files/list-tool.ts";
import { readTool } from "./files/read-tool.ts";
import { openRoot, type Root } from "./files/root.ts";
import { writeTool } from "./files/write-tool.ts";

export type ToolboxTool = "read" | "write" | "list" | "find";

export interface ToolboxOptions {
  /** The folder that no tool can leave, relative to the working directory or absolute. */
  root: string;
  /** Which tools; all of them when absent. */
  include?: readonly ToolboxTool[];
}

/**
 * File tools for one folder, in the order `read`, `write`, `list`, `find`.
 *
 * @throws ToolboxError `root_not_found`, `root_not_a_folder`
 */
export async function toolbox({ root, include = NAMES }: ToolboxOptions): Promise<Tool[]> {
  const opened = await openRoot(root);
  return NAMES.filter((name) => include.includes(name)).map((name) => MAKERS[name](opened));
}

const MAKERS: Record<ToolboxTool, (root: Root) => Tool> = {
  read: readTool,
  write: writeTool,
  list: listTool,
  find: findTool,
};

const NAMES = ["read", "write", "list", "find"] as const;
