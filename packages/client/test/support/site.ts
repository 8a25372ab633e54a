import { createAgent, defineTool } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { createHandler, type HandlerOptions } from "@cogency/server";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { createClient } from "../../src/index.ts";

const keyRing = createKeyRing(["a secret of this server, at least 32 bytes"]);

/** The real handler over a store in memory, an agent with a tool that needs an approval and one that asks, and what looks after its messages. */
export function site(steps: ScriptedStep[] = [], options: Partial<HandlerOptions> = {}) {
  const store = memoryStore();
  const written: string[] = [];
  const write = defineTool({
    name: "write",
    description: "Writes a line.",
    input: { type: "object", properties: { line: { type: "string" } }, required: ["line"] },
    approval: "ask",
    execute: ({ line }) => void written.push(String(line)),
  });
  const ask = defineTool({
    name: "ask",
    description: "Asks the person.",
    input: { type: "object" },
    asks: true,
    execute: async (_, { ask }) =>
      `They say ${JSON.stringify(await ask({ message: "Which?", schema: { type: "string" } }))}.`,
  });
  const agent = createAgent({ provider: scripted(steps), tools: [write, ask], store, keyRing });
  const authenticate = () => ({ id: "ada", scopes: ["thinking"] });
  const handler = createHandler({ agent, store, authenticate, prefix: "/api", onError: () => {}, ...options });
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      await agent.sweep();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    agent,
    store,
    written,
    handler,
    async end() {
      isOver = true;
      await looking;
    },
  };
}

export type Site = ReturnType<typeof site>;

/** What may happen to one request. */
export interface Fate {
  /** It never arrives; it arrives and its answer is lost; or all is well. */
  request: "lost" | "unanswered" | "ok";
  /** Milliseconds before it arrives. */
  delay: number;
  /** It arrives twice. */
  isDoubled: boolean;
  /** The body of the answer breaks, or ends, after so many bytes. */
  end: { after: number; how: "break" | "end" } | undefined;
  /** The body comes in pieces of so many bytes. */
  size: number;
}

export const well: Fate = { request: "ok", delay: 0, isDoubled: false, end: undefined, size: 1 << 20 };

/**
 * A `fetch` that asks the handler itself, through a network on which each request has its fate. The third of three streams, or of three
 * other requests, that would fail in a row is well: a client doubles its pause with each failure, and a test would wait for minutes.
 */
function network(handler: Site["handler"], fateOf: () => Fate) {
  const failures = { stream: 0, other: 0 };
  return async (url: string, init: RequestInit): Promise<Response> => {
    const { request: wished, delay, isDoubled, end, size } = fateOf();
    const make = () => new Request(new URL(url, "http://server.test"), init);
    const isStream = make().headers.get("accept") === "text/event-stream";
    const kind = isStream ? "stream" : "other";
    const request = failures[kind] < 2 ? wished : "ok";
    failures[kind] = request === "ok" ? 0 : failures[kind] + 1;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    if (request === "lost") throw new TypeError("fetch failed");
    const response = await handler(make());
    if (isDoubled && !isStream) await (await handler(make())).text();
    if (request === "unanswered") {
      await response.body?.cancel();
      throw new TypeError("fetch failed");
    }
    init.signal?.throwIfAborted();
    if (!isStream || !response.body) return response;
    return new Response(tattered(response.body, end, size), { headers: response.headers });
  };
}

/** The bytes, cut otherwise, up to where the connection ends. The time that the server gives for the next connection is short. */
function tattered(body: ReadableStream<Uint8Array>, end: Fate["end"], size: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) return controller.close();
      const text = new TextDecoder().decode(value).replace(/^retry: \d+\n/, "retry: 2\n");
      const bytes = new TextEncoder().encode(text);
      const room = end ? end.after - sent : bytes.length;
      for (let at = 0; at < Math.min(bytes.length, room); at += size)
        controller.enqueue(bytes.subarray(at, Math.min(at + size, bytes.length, room)));
      sent += bytes.length;
      if (bytes.length <= room) return;
      await reader.cancel();
      if (end?.how === "end") controller.close();
      else controller.error(new TypeError("terminated"));
    },
    cancel: () => reader.cancel(),
  });
}

/** A client of the site, over a network that is well unless it is told otherwise. */
export function clientOf({ handler }: Pick<Site, "handler">, fateOf: () => Fate = () => well) {
  return createClient({ url: "http://server.test/api", fetch: network(handler, fateOf) });
}
