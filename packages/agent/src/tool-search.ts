export { type ToolSearchOptions, toolSearch } from "./search/tool-search.ts";
