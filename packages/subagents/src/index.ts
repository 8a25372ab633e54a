export type { AgentDefinition } from "./agent-definition.ts";
export { isSubagentError, SubagentError, type SubagentErrorCode } from "./errors.ts";
export { type SubagentsOptions, subagents } from "./subagents.ts";
