export type {
  McpCallHost,
  McpHostErrorCode,
  McpLogLevel,
  McpSampled,
  McpSampling,
} from "./call-host.ts";
export { McpHostError, mcpHost } from "./call-host.ts";
export type { McpContent, McpResourceContent } from "./content.ts";
export { mcpServer } from "./mcp-server.ts";
export type {
  McpCaller,
  McpConnection,
  McpExecution,
  McpOffer,
  McpOfferedAgent,
  McpProtectedResource,
  McpServer,
  McpServerLimits,
} from "./offer.ts";
export type { McpOfferedPrompt, McpPromptArgument, McpPromptMessage } from "./prompts/offered-prompt.ts";
export type { McpOfferedResource, McpOfferedTemplate, McpResources } from "./resources/offered-resources.ts";
