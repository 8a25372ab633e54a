export { ToolboxError, type ToolboxErrorCode } from "./errors.ts";
export { type Found, findTool, type Skipped } from "./files/find-tool.ts";
export { type Listing, listTool } from "./files/list-tool.ts";
export { readTool } from "./files/read-tool.ts";
export { openRoot, type Root } from "./files/root.ts";
export type { Match, SkipReason } from "./files/search.ts";
export { writeTool } from "./files/write-tool.ts";
export { type ToolboxOptions, type ToolboxTool, toolbox } from "./toolbox.ts";
