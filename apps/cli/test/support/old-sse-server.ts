import type { IncomingMessage, ServerResponse } from "node:http";
import { serve } from "@tooling/loopback";

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly a: number; readonly b: number } };
}

const number = { type: "number" };
const inputSchema = { type: "object", properties: { a: number, b: number }, required: ["a", "b"] };
const answers: Readonly<Record<string, (asked: Asked) => object>> = {
  initialize: () => ({
    protocolVersion: "2024-11-05",
    capabilities: { tools: {} },
    serverInfo: { name: "old", version: "1" },
  }),
  "tools/list": () => ({ tools: [{ name: "add", description: "Adds two numbers.", inputSchema }] }),
  "tools/call": ({ params }) => {
    const { a, b } = params?.arguments ?? { a: 0, b: 0 };
    return { content: [{ type: "text", text: String(a + b) }] };
  },
};

/**
 * An MCP server of the revision 2024-11-05 over HTTP: its answers come in one stream of events. It has one tool, `add`, and wants a
 * header.
 *
 * @returns its address, and what it was asked
 */
export async function oldSseServer(header: readonly [name: string, value: string]) {
  const asked: string[] = [];
  let stream: ServerResponse | undefined;
  const { url } = await serve((request, response) => {
    if (request.headers[header[0].toLowerCase()] !== header[1]) return void response.writeHead(403).end();
    if (request.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      return void stream.write("event: endpoint\ndata: /messages\n\n");
    }
    if (!request.url?.endsWith("/messages")) return void response.writeHead(405).end();
    void textOf(request).then((text) => {
      response.writeHead(202).end();
      const message: Asked = JSON.parse(text);
      asked.push(message.method);
      if (message.id === undefined) return;
      const answer = { jsonrpc: "2.0", id: message.id, result: answers[message.method]?.(message) ?? {} };
      stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
    });
  });
  return { url: new URL("/sse", url).href, asked };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}
