import { createHash, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { serve } from "@tooling/loopback";

/** An MCP server with one tool that wants a login, and its own authorization server, until the test has finished. */
export async function loginServer(): Promise<{ readonly url: string; readonly tokens: ReadonlySet<string> }> {
  const tokens = new Set<string>();
  const challenges = new Map<string, string>();
  let origin = "";

  const answers: Readonly<Record<string, (query: URLSearchParams, body: string, response: ServerResponse) => void>> = {
    "/.well-known/oauth-protected-resource/mcp": (_, __, response) =>
      json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] }),
    "/.well-known/oauth-authorization-server": (_, __, response) =>
      json(response, 200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      }),
    "/register": (_, body, response) => json(response, 201, { ...JSON.parse(body), client_id: "registered" }),
    "/authorize": (query, _, response) => {
      const code = randomUUID();
      challenges.set(code, query.get("code_challenge") ?? "");
      const back = new URL(query.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({ code, state: query.get("state") ?? "" }).toString();
      response.writeHead(302, { location: back.href }).end();
    },
    "/token": (_, body, response) => {
      const given = new URLSearchParams(body);
      const proof = createHash("sha256")
        .update(given.get("code_verifier") ?? "")
        .digest("base64url");
      if (challenges.get(given.get("code") ?? "") !== proof) return json(response, 400, { error: "invalid_grant" });
      const token = `access-${randomUUID()}`;
      tokens.add(token);
      json(response, 200, { access_token: token, token_type: "Bearer" });
    },
  };

  const server = await serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    const body = await text(request);
    if (answers[pathname]) return answers[pathname](searchParams, body, response);
    if (tokens.has((request.headers.authorization ?? "").replace("Bearer ", ""))) return answerRpc(body, response);
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    json(response, 401, {}, { "www-authenticate": `Bearer ${metadata}` });
  });
  origin = server.url;
  return { url: `${origin}/mcp`, tokens };
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function answerRpc(body: string, response: ServerResponse): void {
  const { id, method } = body === "" ? { id: undefined, method: "" } : JSON.parse(body);
  if (id === undefined) return void response.writeHead(body === "" ? 405 : 202).end();
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "tracker", version: "1" },
    },
    "tools/list": { tools: [{ name: "search", inputSchema: { type: "object" } }] },
  };
  json(response, 200, { jsonrpc: "2.0", id, result: results[method] ?? {} });
}
