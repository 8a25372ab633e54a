import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { LoginError } from "./login-error.ts";

/** What a server says with a 401 or a 403. */
export interface Challenge {
  /** Where its metadata are. */
  readonly metadata?: URL | undefined;
  /** The scopes that it wants, divided by blanks. */
  readonly scope?: string | undefined;
  readonly isScopeMissing: boolean;
}

export const noChallenge: Challenge = { isScopeMissing: false };

const mostCharacters = 4096;

/**
 * Reads the `WWW-Authenticate` of an answer. One that is longer than 4,096 characters counts as none.
 *
 * @throws LoginError `wrong_server` if the metadata are at another origin
 */
export function challengeOf(response: Response, server: URL): Challenge {
  if ((response.headers.get("www-authenticate") ?? "").length > mostCharacters) return noChallenge;
  const { resourceMetadataUrl: metadata, scope, error } = extractWWWAuthenticateParams(response);
  if (metadata && metadata.origin !== server.origin) {
    throw new LoginError(
      "wrong_server",
      `${server.host} says that its metadata are at another server (${metadata.host}). It was not asked.`,
    );
  }
  return { metadata, scope: isScope(scope) ? scope : undefined, isScopeMissing: error === "insufficient_scope" };
}

/** Whether a text is a list of scopes as OAuth writes it, of at most 4,096 characters. */
export function isScope(text: unknown): text is string {
  return (
    typeof text === "string" &&
    text.length <= mostCharacters &&
    /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text)
  );
}
