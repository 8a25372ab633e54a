import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type Loopback, listen } from "./listen.ts";

/** An HTTP server until the test has finished. */
export function serve(listener: RequestListener, address?: string): Promise<Loopback> {
  return listen(createServer({ maxHeaderSize: 2 ** 20 }, listener), { address, onEnd: onTestFinished });
}

/** A TCP server until the test has finished; `talk` gets each connection. */
export function serveTcp(talk: (socket: Socket) => void): Promise<Loopback> {
  // A socket that nobody reads does not notice the end of its connection.
  return listen(
    createTcpServer((socket) => talk(socket.resume())),
    { onEnd: onTestFinished },
  );
}

/** A listener for `serve` that answers every request with one body. */
export function page(
  body: string | Uint8Array,
  type = "text/html",
  headers: Record<string, string> = {},
): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { ...(type && { "content-type": type }), ...headers }).end(body);
  };
}
