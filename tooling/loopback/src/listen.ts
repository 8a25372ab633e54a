import type { AddressInfo, Server, Socket } from "node:net";

/** A server that listens on this machine only. */
export interface Loopback {
  port: number;
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string;
  /** The number of connections so far. */
  readonly connections: number;
  /** The number of connections that are open now. */
  readonly open: number;
}

export interface ListenOptions {
  /** 127.0.0.1 when absent. */
  address?: string | undefined;
  /** Receives the function that closes the server and drops its connections; `onTestFinished` of vitest fits. */
  onEnd: (end: () => void) => void;
}

/** Lets a server listen on a free port of a loopback address. */
export async function listen(server: Server, { address = "127.0.0.1", onEnd }: ListenOptions): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    // A client that resets its connection must not end the process of the test.
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, address, resolve);
  });
  onEnd(() => {
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
