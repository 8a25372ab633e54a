import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

// The whole program that runs inside a sandbox with a way out: it listens where programs look for a proxy, passes every
// connection on to the socket of the one outside, and runs the command. It imports no other file: it is mounted alone.
const [socket = "", port = "", program = "", ...args] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path: socket, allowHalfOpen: true });
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
    writeSync(STATUS, error.code ?? "EIO");
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 0) : 128 + constants.signals[signal]));
});

/** The descriptor on which the tool hears that the command could not be started. */
const STATUS = 7;
