import { callback, checkOptions, group, having, name, required, text, wrongOption } from "@cogency/protocol/options";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { Consent } from "./consent.ts";
import { isLoopback } from "./reach.ts";
import type { TokenStore } from "./token-store.ts";

export interface OAuthOptions {
  /** The address of the MCP server, as `http` gets it. */
  server: string;
  store: TokenStore;
  /** Whom the login belongs to, where the program has several users. */
  user?: string | undefined;
  client?: OAuthClient | undefined;
  /** Scopes to ask for, divided by blanks, where the server does not say which. */
  scope?: string | undefined;
  /** Lets a request begin a login by itself. Without it only `login()` does. */
  consent?: Consent | undefined;
  /** Makes the requests of a login. Defaults to the global `fetch`. */
  fetch?: FetchLike | undefined;
}

/** The program, as authorization servers see it. Without an `id` or `metadataUrl` it registers itself. */
export interface OAuthClient {
  /** What a person reads on the page of the login. Defaults to Cogency. */
  readonly name?: string | undefined;
  /** The id that the authorization server has given to the program. */
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
  /** The issuer of the authorization server that knows the `id`. It goes to no other. A `secret` needs it. */
  readonly issuer?: string | undefined;
  /** Where a document about the program is, for servers that take its address (`https`) as an id. */
  readonly metadataUrl?: string | undefined;
}

export function checkOAuthOptions(options: OAuthOptions): URL {
  checkOptions<OAuthOptions>("oauth", options, {
    server: required(name),
    store: required(having("a token store", "load", "save", "remove", "exclusive")),
    user: name,
    client: group<OAuthClient>({ name, id: name, secret: name, issuer: name, metadataUrl: name }),
    scope: text,
    consent: having("a consent", "authorize"),
    fetch: callback,
  });
  const { id, secret, issuer, metadataUrl } = options.client ?? {};
  if (secret !== undefined && (id === undefined || issuer === undefined)) {
    throw wrongOption(
      TypeError,
      "client",
      "oauth: a `client.secret` needs `client.id`, and `client.issuer`: the only server that may see it.",
    );
  }
  if (metadataUrl !== undefined && !/^https:\/\/[^/]+\/./.test(metadataUrl)) {
    throw wrongOption(TypeError, "client", "oauth: `client.metadataUrl` is not an https address with a path.");
  }
  return checkServer("oauth", options.server);
}

/** @throws TypeError if no token may be sent to the address */
export function checkServer(where: string, server: string): URL {
  const url = URL.parse(server);
  if (!url) throw wrongOption(TypeError, "server", `${where}: \`server\` is not an address.`);
  if (url.username !== "" || url.password !== "") {
    throw wrongOption(TypeError, "server", `${where}: \`server\` has a user or a password in it.`);
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) return url;
  throw wrongOption(TypeError, "server", `${where}: \`server\` needs https, because tokens are sent to it.`);
}
