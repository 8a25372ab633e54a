import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const loopback = "127.0.0.1";

/**
 * A server that listens on loopback, where no other machine reaches it.
 *
 * @param port 0 for a free one
 * @throws Error that says why the port cannot be had, and what to do
 */
export async function listen(port: number): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(port, loopback);
  try {
    await once(server, "listening");
  } catch (cause) {
    const isBusy = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
    const why = isBusy ? "another program listens there" : String(cause);
    throw new Error(`Port ${port} cannot be used: ${why}. Give another one, or --port 0 for any that is free.`, {
      cause,
    });
  }
  return { server, port: (server.address() as AddressInfo).port };
}
