import type { AuthProvider, FetchLike } from "@modelcontextprotocol/client";
import { hiding } from "../text/secrets.ts";
import { type Challenge, challengeOf } from "./challenge.ts";
import { LoginError } from "./login-error.ts";

/**
 * A login at one MCP server, for the `auth` of `http`: it puts the token into each request, renews it when the server refuses it, and
 * sends it to no other server.
 */
export interface ServerLogin extends AuthProvider {
  /** Origin and path of the server: `https://mcp.example.com/mcp`. */
  readonly server: string;
  onUnauthorized(context: { readonly response: Response }): Promise<void>;
  /**
   * Makes the requests of the transport: refuses those that would take the token elsewhere, and answers a server that asks for further
   * scopes.
   */
  around(fetch: FetchLike): FetchLike;
  /** Takes the tokens that were sent out of a text of the server. */
  hide(text: string): string;
}

/** Where the tokens of a server come from. */
export interface TokenSource {
  /** The token for the next request, or undefined without a login. Renews one that has ended. */
  token(): Promise<string | undefined>;
  /** Gets another token than the one that the server refuses. @throws LoginError */
  renew(refused: string | undefined, challenge: Challenge): Promise<void>;
  /** Gets a token with further scopes. @throws LoginError */
  widen(refused: string | undefined, challenge: Challenge): Promise<string>;
}

/** Times that one request is repeated with further scopes. */
const mostRounds = 2;
const mostRemembered = 8;

export function serverLogin(server: URL, source: TokenSource): ServerLogin {
  const sentWith = new WeakMap<Response, string>();
  const sent = new Set<string>();
  let last: string | undefined;

  function remember(token: string | undefined): string | undefined {
    last = token;
    if (token !== undefined) sent.add(token);
    if (sent.size > mostRemembered) sent.delete([...sent][0] as string);
    return token;
  }

  function around(next: FetchLike): FetchLike {
    return async (address, init) => {
      let headers = new Headers(init?.headers);
      for (let round = 0; ; round++) {
        const token = tokenIn(headers);
        if (token !== undefined) checkTarget(address, server);
        const response = await next(address, { ...init, headers });
        if (token !== undefined) sentWith.set(response, token);
        if (response.status !== 403 || !isSameServer(address, server)) return response;
        const challenge = challengeOf(response, server);
        if (!challenge.isScopeMissing || challenge.scope === undefined) return response;
        void response.body?.cancel().catch(() => {});
        if (round === mostRounds) throw stillMissing(server);
        headers = new Headers(headers);
        headers.set("authorization", `Bearer ${remember(await source.widen(token, challenge))}`);
      }
    };
  }

  return {
    server: identityOf(server),
    token: async () => remember(await source.token()),
    onUnauthorized: ({ response }) => source.renew(sentWith.get(response) ?? last, challengeOf(response, server)),
    around,
    hide: (text) => hiding(sent)(text),
  };
}

/** What stands for a server, without anything in its address that may be secret. */
export function identityOf({ origin, pathname }: URL): string {
  return origin + pathname;
}

function tokenIn(headers: Headers): string | undefined {
  return /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
}

function checkTarget(address: string | URL, server: URL): void {
  if (isSameServer(address, server)) return;
  const { host } = new URL(address);
  throw new LoginError(
    "wrong_server",
    `The login at ${server.host} was not sent to ${host}: it belongs to no other server.`,
  );
}

function isSameServer(address: string | URL, server: URL): boolean {
  return new URL(address).origin === server.origin;
}

function stillMissing({ host }: URL): LoginError {
  return new LoginError("refused", `${host} keeps asking for scopes that it has been given.`);
}
