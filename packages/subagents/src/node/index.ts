export { type FoundAgent, type FoundAgents, type ReadAgentsOptions, readAgent, readAgents } from "./read-agents.ts";
