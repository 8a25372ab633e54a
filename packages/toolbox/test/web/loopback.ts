import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Loopback {
  port: number;
  /** Without a slash at the end. */
  url: string;
  /** How many connections were made to it. */
  readonly connections: number;
  /** How many of them are still open. */
  readonly open: number;
}

/** An HTTP server for one test, on 127.0.0.1 or another loopback address. */
export function serve(listener: RequestListener, address?: string): Promise<Loopback> {
  return listen(createServer({ maxHeaderSize: 2 ** 20 }, listener), address);
}

/** A server that speaks for itself. */
export function serveTcp(talk: (socket: Socket) => void): Promise<Loopback> {
  // Without a reader the end of a connection goes unseen.
  return listen(createTcpServer((socket) => talk(socket.resume())));
}

/** A listener that gives one body for all paths. */
export function page(
  body: string | Uint8Array,
  type = "text/html",
  headers: Record<string, string> = {},
): RequestListener {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { ...(type && { "content-type": type }), ...headers }).end(body);
  };
}

async function listen(server: Server, address = "127.0.0.1"): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${address}:${port}`,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
  };
}
