/** The names of the built-in tools, in the order in which `toolbox` returns them. */
export const toolboxToolNames = [
  "read",
  "write",
  "edit",
  "list",
  "find",
  "replace",
  "shell",
  "shell_output",
  "shell_stop",
  "scrape",
  "search",
  "recall",
] as const;

/** The name of a built-in tool. */
export type ToolboxTool = (typeof toolboxToolNames)[number];
