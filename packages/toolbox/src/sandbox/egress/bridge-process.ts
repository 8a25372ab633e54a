import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { connect } from "node:http2";
import { createServer, Socket } from "node:net";
import { constants } from "node:os";

// The whole program that runs inside a sandbox with a way out: it listens where programs look for a proxy, passes every
// connection on to the one outside, and runs the command. It imports no other file: it is mounted alone. All connections go
// over one descriptor that it was started with, so that nothing in the sandbox needs a socket of the kind that files stand for.
const [port = "", program = "", ...args] = process.argv.slice(2);

/** The descriptor that leads to the proxy. */
const wireDescriptor = 7;
/** The descriptor on which the tool hears that the command could not be started. */
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
// Told to end, it waits for the command, which is told as well.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error: NodeJS.ErrnoException) => {
    writeSync(statusDescriptor, error.code ?? "EIO");
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 0) : 128 + constants.signals[signal]));
});
