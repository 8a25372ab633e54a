import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "../base/errors/usage-error.ts";

/** The only address that is listened on: no other machine reaches it. */
const loopback = "127.0.0.1";

/**
 * A server that listens on loopback, and its host as browsers name it.
 *
 * @param port a free one if absent
 * @param option the option that names it
 * @throws UsageError if the port cannot be had
 */
export async function listen(port = 0, option = "--port"): Promise<{ server: Server; host: string }> {
  const server = createServer();
  server.listen(port, loopback);
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = reasons[code ?? ""] ?? message;
    throw new UsageError(`${option} ${port} cannot be used: ${why}. Give another one.`, { cause });
  }
  return { server, host: `${loopback}:${(server.address() as AddressInfo).port}` };
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there",
  EACCES: "only the system's administrator may use it",
};
