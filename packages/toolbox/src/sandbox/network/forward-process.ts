import { performServerHandshake } from "node:http2";
import { connect, type Socket, Socket as Wire } from "node:net";

// The program that runs in a private network and connects the machine to a port of it. Each stream on the inherited descriptor is a
// connection. It must not import other files, because only this file is mounted.
const port = Number(process.argv[2]);

/** The descriptor that leads to the listener outside. */
const wireDescriptor = 3;

const wire = new Wire({ fd: wireDescriptor, readable: true, writable: true });
const session = performServerHandshake(wire, { settings: { maxConcurrentStreams: 128 } });
session.on("error", () => {});
session.on("stream", (stream) => {
  stream.on("error", () => {});
  void connected().then((server) => {
    if (server === undefined) return stream.destroy();
    stream.respond({ ":status": 200 });
    stream.pipe(server).pipe(stream);
    for (const [one, other] of [
      [stream, server],
      [server, stream],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
});
session.on("close", () => process.exit());
wire.on("close", () => process.exit());

/** Servers listen at one of the two addresses of the loopback, or at both. */
async function connected(): Promise<Socket | undefined> {
  for (const host of ["127.0.0.1", "::1"]) {
    const socket = connect({ port, host, allowHalfOpen: true });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (isOpen) return socket;
    socket.destroy();
  }
  return undefined;
}
