import { lookup as systemLookup } from "node:dns/promises";
import * as http from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { hostOf } from "../../web/address/address-guard.ts";
import type { Lookup } from "../../web/request/exchange.ts";
import type { HostRules } from "./host-rules.ts";

export interface EgressOptions {
  rules: HostRules;
  /** Resolves names; defaults to the system's resolver. */
  lookup?: Lookup | undefined;
  /** The most bytes that may pass in both directions together; defaults to 1 GiB. */
  maxBytes?: number | undefined;
}

/** The only way out of a sandbox. */
export interface EgressProxy {
  /** Serves one connection. The proxy itself does not listen. */
  serve(connection: Duplex): void;
  /** Closes the proxy and all its connections. */
  close(): Promise<void>;
}

/**
 * An HTTP proxy for tunnels (`CONNECT`) and requests to `http:` addresses, which connects only to hosts that the rules admit.
 * It resolves names itself, checks all their addresses, and connects to one of them. It adds no credentials and does not
 * inspect tunnels.
 */
export function openEgressProxy({ rules, lookup = lookupAll, maxBytes = 2 ** 30 }: EgressOptions): EgressProxy {
  const open = new Set<Duplex>();
  let bytes = 0;
  let isClosed = false;

  const track = <Stream extends Duplex>(stream: Stream): Stream => {
    open.add(stream);
    stream.on("error", () => stream.destroy());
    stream.on("close", () => open.delete(stream));
    stream.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > maxBytes) for (const each of open) each.destroy();
    });
    return stream;
  };

  /** @throws Refusal */
  async function reach(host: string, port: number): Promise<Socket> {
    if (!rules.admits(host, port))
      throw new Refusal(403, `${named(host, port)} is not among the hosts that this command may reach`);
    if (bytes > maxBytes) throw new Refusal(403, "this command has sent and received as much as it may");
    const [address] = await admitted(host, port, rules, lookup);
    return await connected(track(connect({ host: address ?? "", port })), named(host, port));
  }

  const server = http.createServer({ maxHeaderSize: 64 * 1024, requestTimeout: 0 }, (request, response) => {
    forward(request, response, reach).catch((error: unknown) => {
      const { status, message } = refusalOf(error);
      if (response.headersSent) return response.destroy();
      response.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(`${message}\n`);
    });
  });
  server.on("connection", (client) => track(client));
  server.on("clientError", (_, client) => client.destroy());
  server.on("connect", (request: http.IncomingMessage, client: Duplex, head: Buffer) => {
    const { host, port } = authority(request.url ?? "");
    reach(host, port).then(
      (remote) => {
        remote.setTimeout(idleTimeout, () => remote.destroy());
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        remote.write(head);
        remote.pipe(client).pipe(remote);
        for (const [one, other] of [
          [remote, client],
          [client, remote],
        ] as const)
          one.on("close", () => other.destroy());
      },
      (error: unknown) => {
        const { status, message } = refusalOf(error);
        client.end(`HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${message}\n`);
      },
    );
  });
  return {
    serve(connection) {
      if (isClosed) connection.destroy();
      else server.emit("connection", connection);
    },
    async close() {
      isClosed = true;
      const closed = [...open].map((stream) => new Promise((resolve) => stream.once("close", resolve)));
      for (const stream of open) stream.destroy();
      await Promise.all(closed);
    },
  };
}

/** Milliseconds without a byte after which a connection is closed. */
const idleTimeout = 120_000;
/** Milliseconds to establish a connection. */
const connectTimeout = 20_000;

class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal(502, "the connection failed");
}

async function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  reach: (host: string, port: number) => Promise<Socket>,
): Promise<void> {
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
  if (url?.protocol !== "http:")
    throw new Refusal(400, "this is a proxy: it takes CONNECT, and requests to http: addresses");
  const remote = await reach(hostOf(url), Number(url.port || 80));
  remote.setTimeout(idleTimeout, () => remote.destroy());
  const onward = http.request({
    createConnection: () => remote,
    method: request.method,
    path: url.pathname + url.search,
    headers: { ...withoutHopByHop(request.headers), host: url.host, connection: "close" },
    maxHeaderSize: 64 * 1024,
  });
  response.on("close", () => onward.destroy());
  await new Promise<void>((resolve, reject) => {
    onward.on("error", reject);
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...withoutHopByHop(answer.headers), connection: "close" });
      answer.on("error", reject);
      answer.pipe(response).on("close", resolve);
    });
    request.pipe(onward);
  });
}

/** Removes headers that belong to one connection and not to the message (RFC 9110 §7.6.1). */
function withoutHopByHop(headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.includes(name)));
}

const hopByHop = new Set(
  "connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

/** Parses the target of `CONNECT host:port`. For an invalid one it returns an empty host, which no rule admits. */
function authority(text: string): { host: string; port: number } {
  const [, name = "", port = ""] = /^(\[[^\]]*\]|[^:/?#@\\]*):(\d{1,5})$/.exec(text) ?? [];
  const url = `http://${name}`;
  return { host: URL.canParse(url) ? hostOf(new URL(url)) : "", port: Number(port) };
}

function named(host: string, port: number): string {
  return `${host === "" ? "what was asked for" : host}:${port}`;
}

/** @throws Refusal with the same message for an unknown name and for a name of an inner address */
async function admitted(host: string, port: number, rules: HostRules, lookup: Lookup): Promise<readonly string[]> {
  const guard = rules.guardFor(host, port);
  const addresses = isIP(host) === 0 ? await lookup(host).catch(() => []) : [host];
  const isAdmitted = addresses.length > 0 && addresses.every((address) => guard.admitsAddress(host, address));
  if (!isAdmitted) throw new Refusal(403, `${named(host, port)} does not lead to an address that may be reached`);
  return addresses;
}

async function lookupAll(host: string): Promise<string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address);
}

function connected(socket: Socket, name: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      socket.destroy();
      reject(new Refusal(502, `the connection to ${name} failed`));
    };
    socket.setTimeout(connectTimeout, fail);
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}
