import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Wire } from "@cogency/provider/testkit";
import { type Section, tokensOf } from "./asked.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { type ModelServer, startServer } from "./start-server.ts";

/** Serves a model over a wire of HTTP, of which each request holds everything that the model reads. */
export function httpServer(model: ScriptedModel, wire: Wire, read: (body: unknown) => Section[]): Promise<ModelServer> {
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await buffer(request);
    const sections = read(JSON.parse(body.toString()));
    const reply = model.answer({ sections, bytes: body.length, sent: tokensOf(sections) });
    response.writeHead(200, { "content-type": "text/event-stream" }).end(wire.answer(reply).join(""));
  });
  return startServer(server);
}
