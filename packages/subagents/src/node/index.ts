export {
  type AgentFile,
  type FoundAgent,
  type FoundAgentProblem,
  type FoundAgents,
  type ReadAgentsOptions,
  readAgent,
  readAgents,
} from "./read-agents.ts";
