export type { Connector, Opening } from "./client/connector.ts";
export { mcp } from "./client/create-mcp.ts";
export type { McpErrorCode } from "./client/errors.ts";
export { isMcpError, McpError } from "./client/errors.ts";
export type { HttpOptions } from "./client/http.ts";
export { http } from "./client/http.ts";
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
  McpLogLevel,
  McpOptions,
  McpRoot,
  McpServerOptions,
  McpServerState,
  McpServerStatus,
  SamplingOptions,
} from "./client/mcp-options.ts";
