export type { AgentDefinition } from "./agent-definition.ts";
export { type SubagentsOptions, subagents } from "./subagents.ts";
