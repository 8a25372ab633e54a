import { callback, checkOptions, name, required, text, wrongOption } from "@cogency/protocol/options";
import {
  auth,
  ClientCredentialsProvider,
  type FetchLike,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { checked } from "./authorize.ts";
import { type Challenge, noChallenge } from "./challenge.ts";
import { checkDiscovery } from "./check-discovery.ts";
import { LoginError } from "./login-error.ts";
import { createLoginFetch } from "./login-fetch.ts";
import { checkServer } from "./oauth-options.ts";
import { type ServerLogin, serverLogin, type TokenSource } from "./server-login.ts";
import { toStoredTokens } from "./to-stored-tokens.ts";

export interface ClientCredentialsOptions {
  /** The address of the MCP server, as `http` gets it. */
  server: string;
  /** The issuer of the authorization server that knows the program. Nothing is sent to another. */
  issuer: string;
  id: string;
  /** The secret, or a key with its algorithm. */
  secret?: string | undefined;
  /** A private key in PEM (PKCS #8), with which the program signs who it is. */
  privateKey?: string | undefined;
  /** Of the key. Defaults to ES256. */
  algorithm?: string | undefined;
  /** Scopes to ask for, divided by blanks, where the server does not say which. */
  scope?: string | undefined;
  /** Makes the requests of the login. Defaults to the global `fetch`. */
  fetch?: FetchLike | undefined;
}

/**
 * A login of the program itself, without a person: OAuth's client credentials, for the `auth` of `http`. The token is kept in memory.
 *
 * @throws TypeError for wrong options
 */
export function clientCredentials(options: ClientCredentialsOptions): ServerLogin {
  const server = checkClientCredentials(options);
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  let current: { token: string; scope: string | undefined; until: number } | undefined;
  let getting: Promise<void> | undefined;

  async function get(challenge: Challenge): Promise<void> {
    const signal = AbortSignal.timeout(60_000);
    const requests = createLoginFetch({ server, fetch, signal });
    const provider = providerOf(options);
    provider.saveDiscoveryState = (found) => void checkDiscovery(found, server, options.issuer);
    await checked(requests, signal, () =>
      auth(provider, {
        serverUrl: server,
        fetchFn: requests.fetch,
        ...(challenge.metadata && { resourceMetadataUrl: challenge.metadata }),
        ...(challenge.scope !== undefined && { scope: challenge.scope }),
      }),
    );
    const tokens = (await provider.tokens()) as StoredOAuthTokens | undefined;
    if (!tokens) throw new LoginError("bad_answer", "The authorization server gave no token.");
    const { accessToken, scope, expiresAt } = toStoredTokens(tokens, challenge.scope);
    current = { token: accessToken, scope, until: expiresAt ?? Number.POSITIVE_INFINITY };
  }

  /** Requests that need a token at the same time share one. */
  function getOnce(challenge: Challenge): Promise<void> {
    getting ??= get(challenge).finally(() => {
      getting = undefined;
    });
    return getting;
  }

  const source: TokenSource = {
    async token() {
      if (current && current.until < Date.now() + slack) await getOnce({ ...noChallenge, scope: current.scope });
      return current?.token;
    },
    async renew(refused, challenge) {
      if (current && current.token !== refused) return;
      await getOnce(challenge);
    },
    async widen(_refused, challenge) {
      await getOnce(challenge);
      return current?.token ?? "";
    },
  };
  return serverLogin(server, source);
}

/** Milliseconds before its end at which a token is replaced. */
const slack = 10_000;

function providerOf({ id, secret, privateKey, algorithm = "ES256", issuer, scope }: ClientCredentialsOptions) {
  const common = { clientId: id, expectedIssuer: issuer, clientName: "Cogency", ...(scope !== undefined && { scope }) };
  const provider: OAuthClientProvider =
    secret === undefined
      ? new PrivateKeyJwtProvider({ ...common, privateKey: privateKey ?? "", algorithm })
      : new ClientCredentialsProvider({ ...common, clientSecret: secret });
  return provider;
}

function checkClientCredentials(options: ClientCredentialsOptions): URL {
  checkOptions<ClientCredentialsOptions>("clientCredentials", options, {
    server: required(name),
    issuer: required(name),
    id: required(name),
    secret: name,
    privateKey: name,
    algorithm: name,
    scope: text,
    fetch: callback,
  });
  if ((options.secret === undefined) === (options.privateKey === undefined)) {
    throw wrongOption(TypeError, "secret", "clientCredentials needs a `secret` or a `privateKey`, and not both.");
  }
  return checkServer("clientCredentials", options.server);
}
