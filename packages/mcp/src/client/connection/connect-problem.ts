import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { loginErrorIn } from "../auth/login-error.ts";
import { McpError } from "../errors.ts";
import { oneLine } from "../text/plain-text.ts";
import { endedEarly } from "../transport/guard.ts";

/**
 * An error of the SDK or of the network as a sentence about a server. The error itself is left behind: it may repeat what was sent.
 *
 * @param hide takes secrets out of the server's words
 */
export function mcpErrorOf(error: unknown, server: string, hide: (text: string) => string): McpError {
  if (error instanceof McpError) return error;
  const { code, text } = problemOf(error, (words) => oneLine(hide(words)));
  return new McpError(code, server, `The server ${server} ${text}.`);
}

function problemOf(error: unknown, said: (words: string) => string): Pick<McpError, "code"> & { text: string } {
  const status = statusOf(error);
  const login = loginErrorIn(error);
  if (login)
    return {
      code: login.code === "unreachable" ? "connect_failed" : "login_needed",
      text: `lets nobody in: ${sentence(login.message)}`,
    };
  if (error instanceof UnauthorizedError || error instanceof InsufficientScopeError || status === 401) {
    return { code: "login_needed", text: "needs a login" };
  }
  if (status === 403) return { code: "login_needed", text: "refuses what this login may do (HTTP 403)" };
  if (status !== undefined) return { code: "connect_failed", text: `answered with HTTP ${status}` };
  if (error instanceof SdkError) return sdkProblem(error, said);
  if (error instanceof ProtocolError) {
    if (error.message === endedEarly) return { code: "closed", text: "ended the connection" };
    return { code: "protocol", text: `answered with the error ${error.code}: ${sentence(said(error.message))}` };
  }
  const network = networkCode(error);
  if (network !== undefined) return { code: "connect_failed", text: `could not be reached (${network})` };
  const message = error instanceof Error ? error.message : String(error);
  return { code: "connect_failed", text: `could not be reached: ${sentence(said(message))}` };
}

function sdkProblem(error: SdkError, said: (words: string) => string): Pick<McpError, "code"> & { text: string } {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return { code: "timeout", text: "did not answer in time" };
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return { code: "closed", text: "ended the connection" };
    case SdkErrorCode.EraNegotiationFailed: {
      const code = networkCode(error);
      if (code !== undefined) return { code: "connect_failed", text: `could not be reached (${code})` };
      return { code: "connect_failed", text: `could not be reached: ${sentence(said(error.message))}` };
    }
    default:
      return { code: "protocol", text: `broke the protocol: ${sentence(said(error.message))}` };
  }
}

export function statusOf(error: unknown): number | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if (at instanceof SdkHttpError) return at.data.status;
    if (at instanceof SseError) return at.code;
  }
  return undefined;
}

/** Whether a request cannot have reached the server. */
export function isUnreached(error: unknown): boolean {
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(networkCode(error) ?? "");
}

/** Such as `ECONNREFUSED`, from the depth of an error of `fetch`. */
export function networkCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; depth++) {
    const { code, cause, data } = at as { code?: unknown; cause?: unknown; data?: { cause?: unknown } };
    if (typeof code === "string" && /^(E[A-Z]{3,}|UND_ERR_\w+|CERT_\w+|\w+_CERT\w*)$/.test(code)) return code;
    at = cause ?? data?.cause;
  }
  return undefined;
}

function sentence(words: string): string {
  return words.replace(/\.+$/, "") || "it gave no reason";
}
