import { checkResourceAllowed, type OAuthServerInfo } from "@modelcontextprotocol/client";
import { LoginError } from "./login-error.ts";
import { quoted } from "./quoted.ts";
import { checkAddress } from "./reach.ts";

/** What was found out about the authorization server of an MCP server, checked. */
export interface Discovery {
  readonly issuer: string;
  readonly resource: string | undefined;
}

/**
 * Checks what two servers say about themselves, before anything is sent that is secret.
 *
 * @param expected the issuer that the host has named
 * @throws LoginError `wrong_server`, `unsupported`
 */
export function checkDiscovery(found: OAuthServerInfo, server: URL, expected: string | undefined): Discovery {
  const { authorizationServerMetadata: metadata, resourceMetadata } = found;
  if (!metadata) {
    throw new LoginError("unsupported", `${quoted(found.authorizationServerUrl)} offers no metadata about its logins.`);
  }
  const { issuer } = metadata;
  if (expected !== undefined && !isSameIssuer(issuer, expected)) {
    throw new LoginError(
      "wrong_server",
      `${server.host} sends people to log in at ${quoted(issuer)}, and not at ${quoted(expected)}. Nothing was sent there.`,
    );
  }
  if (resourceMetadata && !isResourceOf(resourceMetadata.resource, server)) {
    throw new LoginError(
      "wrong_server",
      `${server.host} asks for a login to another server: ${quoted(resourceMetadata.resource)}.`,
    );
  }
  checkAddress("The authorization server", issuer, server);
  checkAddress("The page of the login", metadata.authorization_endpoint, server);
  checkAddress("The token endpoint", metadata.token_endpoint, server);
  if (metadata.registration_endpoint) checkAddress("The registration", metadata.registration_endpoint, server);
  return { issuer, resource: resourceMetadata?.resource };
}

/** @throws LoginError `unsupported` without PKCE: a stolen code would be enough for a login */
export function checkPkce({ authorizationServerMetadata: metadata }: OAuthServerInfo): void {
  if (metadata?.code_challenge_methods_supported?.includes("S256")) return;
  throw new LoginError(
    "unsupported",
    `${quoted(metadata?.issuer ?? "")} does not say that it supports PKCE with S256.`,
  );
}

/** The SDK may have put a slash at the end of one of them. */
export function isSameIssuer(one: string, other: string): boolean {
  return one === other || `${one}/` === other || one === `${other}/`;
}

function isResourceOf(resource: string, server: URL): boolean {
  return URL.canParse(resource) && checkResourceAllowed({ requestedResource: server, configuredResource: resource });
}
