import { RequestError } from "@agentclientprotocol/sdk";
import { AuthenticationNeeded } from "../authentication-needed.ts";

/** Codes of JSON-RPC, and of the Agent Client Protocol. */
const codes = { invalid: -32600, params: -32602, internal: -32603, authentication: -32000, notFound: -32002 } as const;

/** An answer to a request that is refused: a sentence for the person, and a code for programs. */
export function refusal(
  kind: keyof typeof codes,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): RequestError {
  return new RequestError(codes[kind], message, data);
}

/** What an error of the host is to an editor: its message, which the host has written for the person. */
export function refusalOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const message = error instanceof Error && error.message !== "" ? error.message : "The agent could not do this.";
  return refusal(isAuthentication(error) ? "authentication" : "internal", message);
}

function isAuthentication(error: unknown): boolean {
  if (error instanceof AuthenticationNeeded) return true;
  // Of another copy of this package.
  return error instanceof Error && "code" in error && error.code === "authentication_needed";
}
