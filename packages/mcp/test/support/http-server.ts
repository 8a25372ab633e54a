import type { IncomingMessage, ServerResponse } from "node:http";
import { serve } from "@tooling/loopback";

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** Answers one POST itself, if it returns true. */
export type Instead = (response: ServerResponse, request: Request, headers: IncomingMessage["headers"]) => boolean;

export interface HttpServer {
  readonly url: string;
  readonly requests: { method: string; path: string; headers: IncomingMessage["headers"] }[];
  instead: Instead;
  /** The session that it knows; another one is answered with 404. */
  session: string | undefined;
}

/** A server of the revision 2025-11-25 that answers with JSON, on loopback until the test has finished. */
export async function httpServer(instead: Instead = () => false): Promise<HttpServer> {
  const requests: HttpServer["requests"] = [];
  const server = { requests, instead, session: undefined } as unknown as HttpServer & { url: string };
  const loopback = await serve(async (request, response) => {
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers });
    if (request.method !== "POST") return void response.writeHead(request.method === "DELETE" ? 200 : 405).end();
    let text = "";
    for await (const chunk of request) text += chunk;
    const message = JSON.parse(text) as Request;
    if (server.instead(response, message, request.headers)) return;
    const session = request.headers["mcp-session-id"];
    if (session !== undefined && session !== server.session)
      return void response.writeHead(404).end("No such session.");
    if (message.id === undefined) return void response.writeHead(202).end();
    answer(response, message, server.session);
  });
  server.url = `${loopback.url}/mcp`;
  return server;
}

function answer(response: ServerResponse, { id, method, params }: Request, session: string | undefined): void {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "http", version: "1" },
    },
    "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: JSON.stringify(params?.arguments) }] },
  };
  const result = results[method];
  const body = result ? { result } : { error: { code: -32601, message: "Method not found" } };
  response.writeHead(200, { "content-type": "application/json", ...(session && { "mcp-session-id": session }) });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
}
