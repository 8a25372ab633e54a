import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { serve } from "@tooling/loopback";
import type { Consent } from "../../src/client/auth/consent.ts";

/** An MCP server and the authorization server that it trusts, on this machine, until the test has finished. */
export interface LoginServers {
  /** The address of the MCP server. */
  url: string;
  issuer: string;
  /** Tokens that the MCP server accepts, with their scopes. */
  tokens: Map<string, string>;
  /** Metadata of the two servers, which a test may change. */
  resource: Record<string, unknown>;
  metadata: Record<string, unknown>;
  /** Other answers for a path, instead of those of an honest server. */
  instead: Map<string, (request: Asked, response: ServerResponse) => void>;
  /** Everything that was asked, in order. */
  asked: Asked[];
  /** Scopes that a call needs. */
  needed: string;
  /** Adds to the answer of the page of the login. */
  callback: Record<string, string>;
  expiresIn: number | undefined;
}

interface Asked {
  at: "server" | "issuer";
  method: string;
  path: string;
  query: URLSearchParams;
  token: string | undefined;
  body: string;
  headers: IncomingMessage["headers"];
}

export async function loginServers(): Promise<LoginServers> {
  const codes = new Map<string, { challenge: string; scope: string; redirect: string }>();
  const refreshes = new Map<string, { scope: string; isUsed: boolean }>();
  const state = {
    tokens: new Map(),
    instead: new Map(),
    asked: [],
    needed: "",
    callback: {},
  } as unknown as LoginServers;

  const mcp = await serve(async (request, response) => {
    const asked = await read("server", request);
    state.asked.push(asked);
    (state.instead.get(asked.path) ?? answerAsServer)(asked, response);
  });

  const issuer = await serve(async (request, response) => {
    const asked = await read("issuer", request);
    state.asked.push(asked);
    (state.instead.get(asked.path) ?? answerAsIssuer)(asked, response);
  });

  function answerAsServer({ path, token = "", body }: Asked, response: ServerResponse): void {
    const scope = state.tokens.get(token);
    const metadata = `resource_metadata="${mcp.url}/.well-known/oauth-protected-resource/mcp"`;
    const isAllowed = state.needed.split(" ").every((each) => each === "" || scope?.split(" ").includes(each));
    if (path.startsWith("/.well-known/oauth-protected-resource")) json(response, 200, state.resource);
    else if (path !== "/mcp") json(response, 404, {});
    else if (scope === undefined) {
      json(response, 401, {}, { "www-authenticate": `Bearer error="invalid_token", ${metadata}` });
    } else if (body.includes('"tools/call"') && !isAllowed) {
      const challenge = `Bearer error="insufficient_scope", scope="${state.needed}", ${metadata}`;
      json(response, 403, {}, { "www-authenticate": challenge });
    } else answerRpc(body, response);
  }

  function answerAsIssuer({ path, query, body }: Asked, response: ServerResponse): void {
    if (path === "/.well-known/oauth-authorization-server") json(response, 200, state.metadata);
    else if (path === "/register") json(response, 201, { ...JSON.parse(body), client_id: "registered" });
    else if (path === "/authorize") sendBack(query, response);
    else if (path === "/token") exchange(new URLSearchParams(body), response);
    else json(response, 404, {});
  }

  function sendBack(query: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID();
    codes.set(code, {
      challenge: query.get("code_challenge") ?? "",
      scope: query.get("scope") ?? "",
      redirect: query.get("redirect_uri") ?? "",
    });
    const back = new URL(query.get("redirect_uri") ?? "");
    const answer = { code, state: query.get("state") ?? "", ...state.callback };
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  }

  function exchange(body: URLSearchParams, response: ServerResponse): void {
    const code = codes.get(body.get("code") ?? "");
    codes.delete(body.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    const refresh = refreshes.get(body.get("refresh_token") ?? "");
    if (code && verifier === code.challenge && body.get("redirect_uri") === code.redirect) give(code.scope, response);
    else if (refresh && !refresh.isUsed) {
      refresh.isUsed = true;
      give(refresh.scope, response);
    } else {
      // A refresh token that is used twice was stolen: everything is withdrawn.
      if (refresh) state.tokens.clear();
      if (refresh) refreshes.clear();
      json(response, 400, { error: "invalid_grant", error_description: body.toString() });
    }
  }

  function give(scope: string, response: ServerResponse): void {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    state.tokens.set(access, scope);
    refreshes.set(refresh, { scope, isUsed: false });
    json(response, 200, {
      access_token: access,
      refresh_token: refresh,
      token_type: "Bearer",
      ...(state.expiresIn !== undefined && { expires_in: state.expiresIn }),
    });
  }

  state.url = `${mcp.url}/mcp`;
  state.issuer = issuer.url;
  state.resource = { resource: state.url, authorization_servers: [issuer.url] };
  state.metadata = {
    issuer: issuer.url,
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
    registration_endpoint: `${issuer.url}/register`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
  };
  return state;
}

/** A person who allows everything, without a browser. */
export function willing(opened: URL[] = []): Consent {
  return {
    redirectUrl: "http://127.0.0.1:51234/callback",
    async authorize(address) {
      opened.push(address);
      const response = await fetch(address, { redirect: "manual" });
      await response.body?.cancel();
      return new URL(response.headers.get("location") ?? "").searchParams;
    },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function read(at: Asked["at"], request: IncomingMessage): Promise<Asked> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const url = new URL(request.url ?? "", "http://127.0.0.1");
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const { method = "", headers } = request;
  return { at, method, path: url.pathname, query: url.searchParams, token, body, headers };
}

function answerRpc(body: string, response: ServerResponse): void {
  const { id, method } = body === "" ? { id: undefined, method: "" } : JSON.parse(body);
  if (id === undefined) {
    response.writeHead(body === "" ? 405 : 202).end();
    return;
  }
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "fake", version: "1" },
    },
    "tools/list": { tools: [{ name: "any", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "done" }] },
  };
  json(response, 200, { jsonrpc: "2.0", id, result: results[method] ?? {} });
}
