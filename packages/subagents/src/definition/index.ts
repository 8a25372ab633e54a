export { type ParseAgentOptions, type ParsedAgent, parseAgent } from "./parse-agent.ts";
export type { AgentProblem, AgentProblemCode, WrittenAgent } from "./written-agent.ts";
