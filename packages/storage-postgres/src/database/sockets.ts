import { once } from "node:events";
import { Socket } from "node:net";

/** The addresses of a server. Each host has the port at the same index. */
export interface Hosts {
  host: readonly string[];
  port: readonly number[];
  /** The path of a Unix socket. */
  path?: string | false | undefined;
  /** `direct`: TLS begins without a request. */
  sslnegotiation?: string | null | undefined;
}

/** The sockets of one client. */
export interface Sockets {
  /** Resolves to a connected socket, or to one that fails with the reason at its first write. */
  open(hosts: Hosts): Promise<Socket>;
  /** Closes all sockets, also those that are connecting. Later calls of `open` fail. */
  close(): void;
}

/**
 * Opens the sockets for a client of `postgres` 3.4.9. When such a client ends, it forgets the connections that it is
 * opening: they would connect later and keep the process alive forever. `open` must not reject: the client would wait
 * forever. When a connection breaks while it is about to write, the client connects it again but never writes to it
 * (its `closed` stops the timer of the write and keeps it): every statement that it gives to that connection fails ten
 * seconds later.
 *
 * @param timeout milliseconds to connect
 * @param stuck called when the client has a connection to which it never writes
 */
export function socketsOf(timeout: number, stuck: () => void): Sockets {
  const sockets = new Set<Socket>();
  let hostIndex = 0;
  let isClosed = false;

  return {
    async open({ host, port, path, sslnegotiation }) {
      const socket = new Socket();
      sockets.add(socket);
      const index = hostIndex % host.length;
      socket.once("close", () => {
        sockets.delete(socket);
        // Tries the next host, unless another connection already does.
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
        const isStuck = () => !isClosed && !socket.destroyed && socket.bytesWritten === 0;
        if (sslnegotiation !== "direct") afterFirstWrite(() => isStuck() && stuck());
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
        // Lets the socket send its last message. A server that hangs does not read it, so a timer closes the socket.
        else socket.destroySoon();
        setTimeout(() => socket.destroy(), longestGoodbye).unref();
      }
    },
  };
}

/** A client that has just received its socket plans its first write at once, for the end of this turn of the event loop. */
function afterFirstWrite(look: () => void): void {
  setImmediate(() => setImmediate(look));
}

/** Fails at its first write: the client listens for errors only after it has the socket, and writes first. */
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

/** Milliseconds. */
const longestGoodbye = 500;

function timedOut(timeout: number): Error {
  return Object.assign(new Error(`no connection within ${timeout / 1_000} s`), { code: "CONNECT_TIMEOUT" });
}
