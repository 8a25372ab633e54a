import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { connect } from "node:http2";
import { createServer, Socket } from "node:net";
import { constants } from "node:os";

// The program that runs inside a sandbox with a network of hosts. It listens at the address of the proxy, forwards every
// connection to the proxy outside, and runs the command. It must not import other files, because only this file is mounted.
// All connections share one inherited descriptor, so that nothing in the sandbox needs a unix socket.
const [port = "", program = "", ...args] = process.argv.slice(2);

/** The descriptor that leads to the proxy. */
const wireDescriptor = 7;
/** The descriptor on which the tool reads that the command could not be started. */
const statusDescriptor = 9;

const wire = new Socket({ fd: wireDescriptor, readable: true, writable: true });
const session = connect("http://proxy", { createConnection: () => wire });
session.on("error", () => {});

const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
  client.pipe(proxy).pipe(client);
  for (const [one, other] of [
    [client, proxy],
    [proxy, client],
  ] as const) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
  }
});
// The command gets the same signals. This program waits until the command has ended.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error: NodeJS.ErrnoException) => {
    writeSync(statusDescriptor, error.code ?? "EIO");
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 0) : 128 + constants.signals[signal]));
});
