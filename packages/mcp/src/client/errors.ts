import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";

export type McpErrorCode =
  /** A server could not be reached, or its program could not be started. */
  | "connect_failed"
  /** The server wants a login, or a wider one. */
  | "login_needed"
  /** An answer did not come in time. */
  | "timeout"
  /** The connection ended: the program exited, the address was gone, or the host closed it. */
  | "closed"
  /** The server is not there now, and is tried again later. */
  | "unavailable"
  /** The server sent more than its limits allow: bytes, messages, nesting. */
  | "too_large"
  /** The server broke the protocol, or answered with an error of it. */
  | "protocol"
  /** There is no server, tool, prompt or resource of that name. */
  | "not_found"
  /** Arguments of a prompt are missing, or it does not take them. */
  | "invalid_arguments"
  /** The tool says that it failed. */
  | "tool_failed";

/** Why something with an MCP server did not work: one sentence, without secrets. */
export class McpError extends Error {
  override readonly name = "McpError";
  readonly code: McpErrorCode;
  /** The name that the host gave to the server. */
  readonly server: string;

  constructor(code: McpErrorCode, server: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.server = server;
  }
}

brandErrors(McpError, "McpError");

/** Whether a value is an `McpError`, of this copy of the package or of another. */
export function isMcpError(value: unknown): value is McpError {
  return hasErrorBrand(value, "McpError");
}
