import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
} from "@modelcontextprotocol/client";
import { isLoginError, LoginError } from "./login-error.ts";
import { quoted } from "./quoted.ts";

/** What the SDK throws, as one of our errors. Its own may hold what a server has answered, so they do not become causes. */
export function toLoginError(error: unknown): LoginError {
  if (isLoginError(error)) return error;
  if (error instanceof IssuerMismatchError) {
    const { expected = "", kind } = error;
    const where = kind === "metadata" ? "The metadata of the authorization server" : "The answer from the browser";
    return new LoginError(
      "wrong_server",
      `${where} do not name the issuer ${quoted(expected)}. Nothing was sent there.`,
    );
  }
  if (error instanceof AuthorizationServerMismatchError) {
    return new LoginError(
      "wrong_server",
      `The login belongs to ${quoted(error.recordedIssuer)}, and the server now names ${quoted(error.currentIssuer)}.`,
    );
  }
  if (error instanceof InsecureTokenEndpointError) {
    return new LoginError("wrong_server", "The token endpoint is not https. Nothing was sent there.");
  }
  const { message } = error instanceof Error ? error : { message: "" };
  if (message.startsWith("Incompatible auth server")) return new LoginError("unsupported", incompatible(message));
  return new LoginError("bad_answer", "The login failed: a server answered something that OAuth does not define.");
}

function incompatible(message: string): string {
  return message.includes("dynamic client registration")
    ? "The authorization server does not let programs register themselves: give the id of one that it knows."
    : "The authorization server does not support logins by a code with PKCE.";
}
