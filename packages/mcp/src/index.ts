export { type ClientCredentialsOptions, clientCredentials } from "./client/auth/client-credentials.ts";
export type { Consent, ConsentOptions } from "./client/auth/consent.ts";
export { isLoginError, LoginError, type LoginErrorCode } from "./client/auth/login-error.ts";
export { memoryTokens } from "./client/auth/memory-tokens.ts";
export { type LoginStatus, type OAuthLogin, oauth } from "./client/auth/oauth.ts";
export type { OAuthClient, OAuthOptions } from "./client/auth/oauth-options.ts";
export type { ServerLogin } from "./client/auth/server-login.ts";
export type { StoredClient, StoredLogin, TokenOwner, TokenStore } from "./client/auth/token-store.ts";
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
