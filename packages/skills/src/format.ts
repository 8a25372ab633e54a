export { entriesIn, type ToolPattern, toolPatterns } from "./allowed-tools.ts";
export { FrontMatter, type MatterProblem } from "./front-matter.ts";
