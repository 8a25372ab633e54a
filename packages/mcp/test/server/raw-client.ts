import type { McpServer } from "../../src/server/index.ts";

export type Rpc = Record<string, unknown>;

const accept = "application/json, text/event-stream";

/** Sends what it is told to the handler of a server, without a network. */
export function rawClient(server: Pick<McpServer, "handler">, always: Record<string, string> = {}) {
  async function send(method: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return server.handler(
      new Request("http://127.0.0.1/mcp", {
        method,
        headers: { accept, ...(method === "POST" && { "content-type": "application/json" }), ...always, ...headers },
        ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  }

  const post = (body: unknown, headers?: Record<string, string>) => send("POST", body, headers);

  return {
    send,
    post,
    /** Begins a session of 2025-11-25, and returns its header. */
    async session(capabilities: object = {}, headers: Record<string, string> = {}) {
      const response = await post(request("initialize", initialize(capabilities), 0), headers);
      await response.text();
      const id = response.headers.get("mcp-session-id") ?? "";
      const here = { ...headers, "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
      await post({ jsonrpc: "2.0", method: "notifications/initialized" }, here);
      return here;
    },
    /** One request of 2026-07-28, and its answer. */
    async modern(method: string, params: Rpc = {}, capabilities: object = {}, headers: Record<string, string> = {}) {
      const name = params.name ?? params.uri;
      const response = await post(request(method, { ...params, _meta: envelope(capabilities, params) }), {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(typeof name === "string" && { "mcp-name": name }),
        ...headers,
      });
      return { status: response.status, ...(await answerOf(response)) };
    },
  };
}

export function request(method: string, params: object = {}, id: unknown = 1): Rpc {
  return { jsonrpc: "2.0", id, method, params };
}

export function call(name: string, args: object = {}, id: unknown = 1): Rpc {
  return request("tools/call", { name, arguments: args }, id);
}

export function initialize(capabilities: object = {}): Rpc {
  return { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "raw", version: "1" } };
}

function envelope(capabilities: object, { _meta = {} }: Rpc): object {
  return {
    ...(_meta as object),
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  };
}

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly error?: any;
  readonly notifications: readonly Rpc[];
}

/** The answer of a body, JSON or a stream, with the notifications before it. */
export async function answerOf(response: Response): Promise<Answer> {
  const messages = messagesOf(await response.text());
  const answer = messages.find((message) => "result" in message || "error" in message);
  return { ...answer, notifications: messages.filter((message) => "method" in message) };
}

function messagesOf(text: string): Rpc[] {
  if (text === "") return [];
  if (text.startsWith("{")) return [JSON.parse(text)];
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)));
}

/** Messages of an open stream, as they come. */
export async function* streamed(response: Response): AsyncGenerator<Rpc & { eventId?: string }> {
  let rest = "";
  for await (const chunk of response.body ?? []) {
    rest += new TextDecoder().decode(chunk);
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const id = /^id: (.*)$/m.exec(event)?.[1];
      const message = messagesOf(event)[0];
      if (message || id) yield { ...message, ...(id !== undefined && { eventId: id }) };
    }
  }
}
