import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Behaviour, createArrivals, type Message, serve, type Wire } from "./behaviour.ts";

/** One request over HTTP, before the behaviour gets its message. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly message: Message;
}

export interface HostileHttpOptions {
  /** Answers a request itself, if it returns true. */
  readonly http?: ((exchange: Exchange) => boolean) | undefined;
  /** Whether the client may listen for messages that belong to no request. Defaults to false. */
  readonly listens?: boolean | undefined;
  /** Answers each request without a message itself: for a stream, and at the end of a session. */
  readonly others?: ((response: ServerResponse) => void) | undefined;
}

export interface HostileHttp {
  readonly url: string;
  /** What came, by `Wire.count` and `Wire.next`. */
  readonly arrivals: Pick<Wire, "count" | "next" | "push">;
  /** The headers of each request. */
  readonly headers: readonly IncomingMessage["headers"][];
  close(): Promise<void>;
}

/** A server over streamable HTTP on loopback, without the SDK. Each request is answered by a stream of its own. */
export async function hostileHttp(behaviour: Behaviour, options: HostileHttpOptions = {}): Promise<HostileHttp> {
  const arrivals = createArrivals();
  const listening = new Set<ServerResponse>();
  const headers: IncomingMessage["headers"][] = [];
  const push = (message: object) => {
    for (const stream of listening) stream.write(eventOf(message));
  };
  // A busy process must not find that a connection which it used just now was closed for being idle.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    headers.push(request.headers);
    if (request.method !== "POST" && options.others) return options.others(response);
    if (request.method === "GET" && options.listens) {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      listening.add(response);
      return;
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message = await messageIn(request);
    if (message === undefined) return void response.writeHead(400).end();
    arrivals.add(message);
    if (options.http?.({ request, response, message })) return;
    if (message.method === undefined || message.id === undefined) {
      response.writeHead(202).end();
      await serve(behaviour, message, { ...wireOf(response, undefined), push, ...arrivals });
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "mcp-session-id": "session-1" });
    await serve(behaviour, message, { ...wireOf(response, message.id), push, ...arrivals });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    arrivals: { count: arrivals.count, next: arrivals.next, push },
    headers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The stream of a request ends with the answer to it, as a client expects. */
function wireOf(response: ServerResponse, id: unknown): Pick<Wire, "send" | "raw" | "end"> {
  const isOpen = () => id !== undefined && !response.writableEnded && !response.destroyed;
  return {
    send(message) {
      if (!isOpen()) return;
      response.write(eventOf(message));
      if (!("method" in message) && (message as Message).id === id) response.end();
    },
    raw: (bytes) => void (isOpen() && response.write(bytes)),
    end: () => void response.destroy(),
  };
}

function eventOf(message: object): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

async function messageIn(request: IncomingMessage): Promise<Message | undefined> {
  let text = "";
  try {
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
