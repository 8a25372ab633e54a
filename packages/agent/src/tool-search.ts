export type { ToolFinder, ToolSearch } from "./search/tool-finder.ts";
export { type ToolSearchOptions, toolSearch } from "./search/tool-search.ts";
