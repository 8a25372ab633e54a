import { discoverOAuthServerInfo, type FetchLike, refreshAuthorization } from "@modelcontextprotocol/client";
import { checked } from "./authorize.ts";
import type { Challenge } from "./challenge.ts";
import { checkDiscovery, isSameIssuer } from "./check-discovery.ts";
import { isLoginError, LoginError } from "./login-error.ts";
import { createLoginFetch } from "./login-fetch.ts";
import { toStoredTokens } from "./to-stored-tokens.ts";
import type { StoredLogin } from "./token-store.ts";

export interface RenewOptions {
  readonly server: URL;
  readonly fetch: FetchLike;
  /** The only issuer that the host allows. */
  readonly issuer: string | undefined;
  readonly challenge: Challenge;
  readonly signal: AbortSignal;
}

/**
 * Exchanges the refresh token of a login for new tokens, at the authorization server that made it.
 *
 * @throws LoginError `login_needed` if there is nothing to renew it with, or the server does not accept it; other LoginErrors; the reason
 *   of the signal
 */
export async function renew(login: StoredLogin, options: RenewOptions): Promise<StoredLogin> {
  const { server, challenge, signal } = options;
  const { refreshToken } = login;
  if (refreshToken === undefined) throw ended(server, "has ended");
  const requests = createLoginFetch(options);
  const metadata = challenge.metadata ?? (login.metadata === undefined ? undefined : new URL(login.metadata));
  const tokens = await checked(requests, signal, async () => {
    const found = await discoverOAuthServerInfo(server, {
      fetchFn: requests.fetch,
      ...(metadata && { resourceMetadataUrl: metadata }),
    });
    if (requests.failure) throw requests.failure;
    const { issuer } = checkDiscovery(found, server, options.issuer);
    if (!isSameIssuer(issuer, login.issuer)) throw ended(server, "was made by another authorization server");
    return refreshAuthorization(found.authorizationServerUrl, {
      ...(found.authorizationServerMetadata && { metadata: found.authorizationServerMetadata }),
      clientInformation: clientOf(login),
      refreshToken,
      ...(login.resource !== undefined && { resource: login.resource }),
      fetchFn: requests.fetch,
    });
  }).catch((error: unknown) => {
    throw isOver(error) ? ended(server, "is not accepted any more") : error;
  });
  return { ...login, ...toStoredTokens(tokens, login.scope) };
}

function clientOf({ client, issuer }: StoredLogin) {
  return {
    client_id: client.id,
    ...(client.secret !== undefined && { client_secret: client.secret }),
    ...(client.method !== undefined && { token_endpoint_auth_method: client.method }),
    redirect_uris: [],
    issuer,
  };
}

const over = ["invalid_grant", "invalid_client", "unauthorized_client"];

function isOver(error: unknown): boolean {
  return isLoginError(error) && error.reason !== undefined && over.includes(error.reason);
}

function ended({ host }: URL, what: string): LoginError {
  return new LoginError("login_needed", `The login at ${host} ${what}. Log in again.`);
}
