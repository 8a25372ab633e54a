export { type ParseAgentOptions, type ParsedAgent, parseAgent } from "./parse-agent.ts";
export type { WrittenAgent } from "./written-agent.ts";
