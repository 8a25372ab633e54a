export { ToolboxError, type ToolboxErrorCode } from "./errors.ts";
export { type Found, findTool, type Skipped } from "./find-tool.ts";
export { type Listing, listTool } from "./list-tool.ts";
export { readTool } from "./read-tool.ts";
export { openRoot, type Root } from "./root.ts";
export type { Match, SkipReason } from "./search.ts";
export { type ToolboxOptions, type ToolboxTool, toolbox } from "./toolbox.ts";
export { writeTool } from "./write-tool.ts";
