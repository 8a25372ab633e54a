import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";

/** A real HTTP server on the loopback interface. A test decides which bytes it sends, and when. */
export interface WireServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Every request since the last `forget`, in the order of arrival. */
  readonly exchanges: readonly WireExchange[];
  /** The number of connections that are open now, idle ones included. */
  readonly connections: number;
  /** The number of connections made so far. */
  readonly connectionsMade: number;
  /** Sets the answer to all later requests. Before the first call, requests are not answered. */
  respond(answer: WireAnswer): void;
  forget(): void;
  /**
   * Closes the server and all connections.
   *
   * @throws the first error of an answer, if one threw
   */
  close(): Promise<void>;
}

export type WireAnswer = (exchange: WireExchange) => void | Promise<void>;

export interface WireRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One request and the answer to it. */
export interface WireExchange {
  readonly request: WireRequest;
  /** Bytes of the body that the kernel has accepted. */
  readonly accepted: number;
  /** Resolves if the connection closes before the answer has ended. */
  readonly abandoned: Promise<void>;
  readonly isAbandoned: boolean;
  /** Sends the head at once. The status defaults to 200, the content type to an event stream. */
  begin(status?: number, headers?: Readonly<Record<string, string>>, statusText?: string): void;
  /** Sends bytes at once. Resolves to true when the kernel has accepted them, to false if the connection is closed. */
  write(bytes: string | Uint8Array): Promise<boolean>;
  end(): void;
  /** Closes the connection without ending the answer. */
  destroy(): void;
}

export async function startWireServer(): Promise<WireServer> {
  const sockets = new Set<Socket>();
  const exchanges: WireExchange[] = [];
  const failures: unknown[] = [];
  let respond: WireAnswer = () => {};
  let connectionsMade = 0;

  const server = createServer({ keepAliveTimeout: 120_000 }, async (incoming, response) => {
    try {
      const exchange = createExchange(await requestOf(incoming), response);
      exchanges.push(exchange);
      await respond(exchange);
    } catch (error) {
      if (!incoming.errored) failures.push(error);
      response.destroy();
    }
  });
  server.on("connection", (socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    connectionsMade++;
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    get connections() {
      return sockets.size;
    },
    get connectionsMade() {
      return connectionsMade;
    },
    respond(answer) {
      respond = answer;
    },
    forget() {
      exchanges.length = 0;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function requestOf(incoming: IncomingMessage): Promise<WireRequest> {
  const pieces: Uint8Array[] = [];
  for await (const piece of incoming) pieces.push(piece);
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: incoming.headers,
    body: Buffer.concat(pieces).toString("utf8"),
  };
}

function createExchange(request: WireRequest, response: ServerResponse): WireExchange {
  let accepted = 0;
  let isAbandoned = false;
  const abandoned = new Promise<void>((resolve) => {
    response.once("close", () => {
      if (response.writableFinished) return;
      isAbandoned = true;
      resolve();
    });
  });
  const begin: WireExchange["begin"] = (status = 200, headers = {}, statusText = STATUS_CODES[status] ?? "") => {
    response.writeHead(status, statusText, { "content-type": "text/event-stream", ...headers });
    response.flushHeaders();
  };
  return {
    request,
    abandoned,
    get accepted() {
      return accepted;
    },
    get isAbandoned() {
      return isAbandoned;
    },
    begin,
    async write(bytes) {
      if (isAbandoned || response.destroyed) return false;
      if (!response.headersSent) begin();
      const length = Buffer.byteLength(bytes);
      const isTaken = await Promise.race([
        new Promise<boolean>((resolve) => response.write(bytes, (error) => resolve(!error))),
        abandoned.then(() => false),
      ]);
      if (isTaken) accepted += length;
      return isTaken;
    },
    end() {
      response.end();
    },
    destroy() {
      response.destroy();
    },
  };
}

export interface PiecesOptions {
  /** Defaults to 200. */
  status?: number;
  /** Defaults to the standard text of the status. */
  statusText?: string;
  headers?: Readonly<Record<string, string>>;
  /** After the last piece: end the body, break the connection, or send nothing more. Defaults to `end`. */
  ending?: "end" | "destroy" | "hold";
}

/** An answer in these pieces, each of which is sent separately. */
export function inPieces(pieces: Iterable<string | Uint8Array>, options: PiecesOptions = {}): WireAnswer {
  const { status = 200, headers = {}, statusText, ending = "end" } = options;
  return async (exchange) => {
    exchange.begin(status, headers, statusText);
    for (const piece of pieces) {
      if (!(await exchange.write(piece))) return;
      // Lets a client in the same process read the piece before the next one is sent.
      await nextTick();
      await nextTick();
    }
    if (ending === "end") exchange.end();
    if (ending === "destroy") exchange.destroy();
  };
}
