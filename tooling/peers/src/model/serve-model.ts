import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "@tooling/loopback/listen";
import { chatWire } from "./chat-wire.ts";
import type { Conversation } from "./conversation.ts";
import { messagesWire } from "./messages-wire.ts";
import { type Reply, said } from "./reply.ts";
import { responsesWire } from "./responses-wire.ts";
import type { Wire } from "./wire.ts";

const wires: readonly Wire[] = [chatWire, responsesWire, messagesWire];

/** What a scripted model says next in a conversation. */
type Model = (conversation: Conversation) => Reply;

/** A server on loopback whose model can be changed from one measurement to the next. */
export interface ModelServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  model: Model;
  close(): void;
}

/** Serves a scripted model over every wire that the peers speak. Side requests, which offer no tools, get a short text. */
export async function serveModel(): Promise<ModelServer> {
  let close = () => {};
  let replies = 0;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  const { url } = await listen(server, { onEnd: (end) => (close = end) });
  const served: ModelServer = { url, model: () => said("There is no script."), close: () => close() };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", url).pathname;
    const wire = request.method === "POST" ? wires.find((known) => path.endsWith(known.path)) : undefined;
    if (!wire) return elsewhere(path, response);
    const body = (await json(request)) as Record<string, unknown>;
    const conversation = wire.read(body);
    const reply = conversation.tools.length === 0 ? said("A short title") : served.model(conversation);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for await (const event of wire.write(reply, `${++replies}`)) {
      const isWord = typeof event === "string";
      const name = !isWord && typeof event.type === "string" ? `event: ${event.type}\n` : "";
      const hasRoom = response.write(`${name}data: ${isWord ? event : JSON.stringify(event)}\n\n`);
      if (!hasRoom) await Promise.race([once(response, "drain"), once(response, "close")]);
      if (response.destroyed) return;
    }
    response.end();
  }
  return served;
}

/** What else the peers ask of a server: its models, and how many tokens a request has. */
function elsewhere(path: string, response: ServerResponse): void {
  const found = path.endsWith("/models")
    ? { object: "list", data: [{ id: "mock", object: "model", created: 1, owned_by: "mock" }], models: [] }
    : path.endsWith("/count_tokens")
      ? { input_tokens: 1000 }
      : undefined;
  response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(found ?? { error: { message: "Not found." } }));
}
