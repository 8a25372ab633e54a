import { once } from "node:events";
import { Socket } from "node:net";

/** Where a client connects to; of several hosts each has its port. */
export interface Hosts {
  host: readonly string[];
  port: readonly number[];
  /** Of a socket in the file system. */
  path?: string | false | undefined;
}

/** The sockets of one client. */
export interface Sockets {
  /** Resolves to one that is connected, or to one that fails with the reason at its first write. */
  open(hosts: Hosts): Promise<Socket>;
  /** Closes all, also those that are still connecting; from now on there are none. */
  close(): void;
}

/**
 * A client of `postgres` 3.4.9 that ends forgets the connections that it is making: they would come up later, and neither
 * they nor the process would ever end. It takes sockets from elsewhere, but must be given one each time: after an error
 * in its place it would wait for ever.
 *
 * @param timeout milliseconds for one to connect
 */
export function socketsOf(timeout: number): Sockets {
  const sockets = new Set<Socket>();
  let hostIndex = 0;
  let isClosed = false;

  return {
    async open({ host, port, path }) {
      const socket = new Socket();
      sockets.add(socket);
      const index = hostIndex % host.length;
      socket.once("close", () => {
        sockets.delete(socket);
        // The next host, unless another connection has gone on to it already.
        if (hostIndex % host.length === index) hostIndex++;
      });
      // For messages and certificates.
      Object.assign(socket, { host: host[index], port: port[index] ?? port[0] });
      const timer = setTimeout(() => socket.destroy(timedOut(timeout)), timeout);
      try {
        if (isClosed) throw new Error("the client has ended");
        const connected = once(socket, "connect");
        if (path) socket.connect(path);
        else socket.connect(port[index] ?? port[0] ?? 5432, host[index] ?? "localhost");
        await connected;
        return socket;
      } catch (error) {
        socket.destroy();
        return new FailedSocket(error instanceof Error ? error : new Error(String(error)));
      } finally {
        clearTimeout(timer);
      }
    },

    close() {
      isClosed = true;
      for (const socket of sockets) {
        if (socket.connecting) socket.destroy(new Error("the client has ended"));
        // What was written last is the farewell; a server that hangs does not take it.
        else socket.destroySoon();
        setTimeout(() => socket.destroy(), farewell).unref();
      }
    },
  };
}

/** The client listens for errors only after it has the socket, and writes first. */
class FailedSocket extends Socket {
  readonly #error: Error;

  constructor(error: Error) {
    super();
    this.#error = error;
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, callback: (error: Error) => void): void {
    callback(this.#error);
  }
}

const farewell = 500;

function timedOut(timeout: number): Error {
  return Object.assign(new Error(`no connection within ${timeout / 1_000} s`), { code: "CONNECT_TIMEOUT" });
}
