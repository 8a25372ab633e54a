export type { Connector, Opening } from "./client/connector.ts";
export type {
  Asking,
  CompletionOf,
  Mcp,
  McpCallResult,
  McpPrompt,
  McpPromptText,
  McpResource,
} from "./client/mcp.ts";
export type {
  McpEvent,
  McpOptions,
  McpRoot,
  McpServerOptions,
  McpServerState,
  McpServerStatus,
  SamplingOptions,
} from "./client/mcp-options.ts";
