import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listen } from "@tooling/loopback/listen";

/** A proxy on loopback between a client and a server, which can cut and block connections. */
export interface TcpProxy {
  /** The address of the server through the proxy. */
  readonly url: string;
  /** The number of connections that it has cut. */
  readonly cuts: number;
  /** Cuts each connection from now on after this many bytes of answers; `undefined` cuts none. */
  cutAfter(bytes: (() => number) | undefined): void;
  /** Cuts all connections: resets them, as a firewall or a lost machine does, or ends them, as a server does. */
  cutAll(how: "reset" | "end"): void;
  /**
   * Stops forwarding in both directions without closing connections. New connections are accepted and get no answer.
   */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

interface Relay {
  client: Socket;
  server: Socket;
}

/**
 * @param isPooler acts as a pooler in transaction mode: tells clients another process id of the server than its own, and answers LISTEN
 * without a connection that listens
 */
export async function tcpProxy(target: string, isPooler = false): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const relays = new Set<Relay>();
  let budgetOf: (() => number) | undefined;
  let cuts = 0;
  let isFrozen = false;

  const listener = createServer((client) => {
    const relay = { client, server: connect(Number(port), hostname) };
    relays.add(relay);
    const end = () => {
      relays.delete(relay);
      client.destroy();
      relay.server.destroy();
    };
    for (const socket of [client, relay.server]) {
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", end);
    }
    client.on("data", (chunk) => relay.server.write(isPooler ? withoutListen(chunk) : chunk));
    forwardAnswers(relay, () => {
      cuts++;
      // Does not reset the connection: a reset could overtake the forwarded bytes.
      client.end(end);
    });
    if (isFrozen) pause(relay);
  });

  /** Counts from the end of the login, so that every connection can send something. */
  function forwardAnswers({ client, server }: Relay, cut: () => void): void {
    let budget: number | undefined;
    let isCut = false;
    server.on("data", (chunk) => {
      if (isCut) return;
      const allowed = budget ?? Number.POSITIVE_INFINITY;
      const key = isPooler && budget === undefined ? chunk.indexOf(backendKeyData) : -1;
      if (key >= 0) chunk.writeUInt32BE(1, key + backendKeyData.length);
      client.write(chunk.subarray(0, allowed));
      if (budget === undefined) {
        if (budgetOf && chunk.includes(readyForQuery)) budget = budgetOf();
        return;
      }
      budget -= chunk.length;
      if (budget > 0) return;
      isCut = true;
      cut();
    });
  }

  let end = () => {};
  const loopback = await listen(listener, {
    onEnd: (close) => {
      end = close;
    },
  });
  const url = new URL(target);
  url.port = String(loopback.port);
  return {
    url: url.href,
    get cuts() {
      return cuts;
    },
    cutAfter: (bytes) => {
      budgetOf = bytes;
    },
    cutAll: (how) => {
      for (const { client } of relays) {
        if (how === "reset") client.resetAndDestroy();
        else client.end();
      }
    },
    freeze: () => {
      isFrozen = true;
      for (const relay of relays) pause(relay);
    },
    thaw: () => {
      isFrozen = false;
      for (const { client, server } of relays) {
        client.resume();
        server.resume();
      }
    },
    close: async () => {
      const closed = once(listener, "close");
      // Each client that closes takes its connection to the server with it.
      end();
      await closed;
    },
  };
}

/** The message of the server that it is ready for a statement. */
const readyForQuery = Buffer.from("5a0000000549", "hex");

/** The start of the message of the server with its process id. */
const backendKeyData = Buffer.from("4b0000000c", "hex");

/** `NOTIFY "channel"` has the same length. */
function withoutListen(chunk: Buffer): Buffer {
  return Buffer.from(chunk.toString("latin1").replaceAll(/(?<!UN)LISTEN (?=")/g, "NOTIFY "), "latin1");
}

function pause({ client, server }: Relay): void {
  client.pause();
  server.pause();
}
