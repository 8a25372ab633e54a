import { auth, type FetchLike, validateAuthorizationResponseIssuer } from "@modelcontextprotocol/client";
import { AuthorizationFlow } from "./authorization-flow.ts";
import type { Challenge } from "./challenge.ts";
import type { Consent } from "./consent.ts";
import { LoginError } from "./login-error.ts";
import { createLoginFetch, type LoginFetch } from "./login-fetch.ts";
import type { OAuthClient } from "./oauth-options.ts";
import { oauthReason } from "./oauth-reason.ts";
import { quoted } from "./quoted.ts";
import { toLoginError } from "./to-login-error.ts";
import { toStoredTokens } from "./to-stored-tokens.ts";
import type { StoredLogin } from "./token-store.ts";

export interface AuthorizeOptions {
  readonly server: URL;
  readonly fetch: FetchLike;
  readonly client: OAuthClient;
  readonly consent: Consent;
  readonly challenge: Challenge;
  /** Scopes to ask for, instead of those that the server names. */
  readonly scope: string | undefined;
  /** Scopes to ask for where the server names none. */
  readonly defaultScope: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Lets a person log in: finds the authorization server, registers the program there if it is not known, sends the person to it, and
 * exchanges the code with which they come back for tokens.
 *
 * @throws LoginError; the reason of the signal
 */
export async function authorize(options: AuthorizeOptions): Promise<StoredLogin> {
  const { server, challenge, consent, signal } = options;
  const flow = new AuthorizationFlow({ ...options, redirectUrl: consent.redirectUrl, scope: options.defaultScope });
  const requests = createLoginFetch(options);
  const scope = options.scope ?? challenge.scope;
  const step = (answer?: { authorizationCode: string; iss?: string }) =>
    checked(requests, signal, () =>
      auth(flow, {
        serverUrl: server,
        fetchFn: requests.fetch,
        ...(challenge.metadata && { resourceMetadataUrl: challenge.metadata }),
        ...(scope !== undefined && { scope }),
        ...answer,
      }),
    );
  await step();
  if (!flow.address || !flow.found) throw new LoginError("bad_answer", `${server.host} did not begin a login.`);
  const asked = flow.address.searchParams.get("scope") ?? undefined;
  const answer = await consent.authorize(flow.address, { state: flow.expectedState, signal });
  signal.throwIfAborted();
  await step(await checked(requests, signal, async () => codeIn(answer, flow)));
  const client = flow.clientInformation({ issuer: flow.found.issuer });
  if (!flow.received || !client) throw new LoginError("bad_answer", `${flow.address.host} gave no token.`);
  const login = {
    issuer: flow.found.issuer,
    resource: flow.found.resource,
    metadata: challenge.metadata?.href,
    client: {
      id: client.client_id,
      secret: client.client_secret,
      method: "token_endpoint_auth_method" in client ? client.token_endpoint_auth_method : undefined,
    },
    ...toStoredTokens(flow.received, asked),
  };
  // One file holds the logins of all servers.
  if (JSON.stringify(login).length > longestLogin)
    throw new LoginError("bad_answer", `${flow.address.host} answered with more than a login can hold.`);
  return login;
}

/** Characters. */
const longestLogin = 65_536;

/** The code in the answer of a person, once it is sure that it is theirs and of the right authorization server. */
function codeIn(answer: URLSearchParams, flow: AuthorizationFlow): { authorizationCode: string; iss?: string } {
  if (answer.get("state") !== flow.expectedState) {
    throw new LoginError("wrong_server", "The answer from the browser belongs to another login. It was not used.");
  }
  for (const name of ["code", "iss", "error"]) {
    if (answer.getAll(name).length > 1)
      throw new LoginError("bad_answer", `The browser came back with two of \`${name}\`.`);
  }
  const iss = answer.get("iss") ?? undefined;
  const metadata = flow.discoveryState()?.authorizationServerMetadata;
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const error = answer.get("error");
  if (error !== null) throw denied(error, answer.get("error_description"));
  const code = answer.get("code");
  if (!code) throw new LoginError("bad_answer", "The browser came back without a code.");
  return { authorizationCode: code, ...(iss !== undefined && { iss }) };
}

function denied(error: string, description: string | null): LoginError {
  const reason = oauthReason(error);
  const said = description ? ` The server says ${quoted(description)}.` : "";
  return new LoginError("refused", `The login was not allowed (${reason ?? "without a reason"}).${said}`, { reason });
}

/** Does a step of the login. A request that failed counts, even if the SDK passes over it. */
export async function checked<T>(requests: LoginFetch, signal: AbortSignal, step: () => Promise<T>): Promise<T> {
  try {
    const value = await step();
    if (requests.failure) throw requests.failure;
    return value;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw requests.failure ?? toLoginError(error);
  }
}
