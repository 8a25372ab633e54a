import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:http2";
import { createServer, type Socket } from "node:net";
import { extname } from "node:path";
import type { Duplex } from "node:stream";
import { ownedGroup } from "../../shell/run/end-with-owner.ts";
import type { Bubblewrap } from "../bubblewrap.ts";
import { systemMounts } from "../mounts/system-mounts.ts";
import type { PrivateNetwork } from "./private-network.ts";

/** A port of a private network that programs of this machine reach at 127.0.0.1. */
export interface Forward {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens at this port of 127.0.0.1, and passes connections to the same port of the network.
 *
 * @throws the system's error if the port is taken, or nothing can be started
 */
export async function openForward(bubblewrap: Bubblewrap, network: PrivateNetwork, port: number): Promise<Forward> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const [file = "", ...words] = [...network.enter, bubblewrap.program, ...bubblewrap.flags, "--share-net"];
  const seen = ["--ro-bind", process.execPath, node, "--ro-bind", forwardFile, program];
  const args = [...words, ...systemMounts(), "--tmpfs", "/run", ...seen, "--", node, program, String(port)];
  const helper = spawn(file, args, { env: {}, stdio: ["ignore", "ignore", "ignore", "pipe"], detached: true });
  const end = ownedGroup(helper);
  const wire = helper.stdio[3] as unknown as Duplex;
  wire.on("error", () => {});
  const session = connect("http://network", { createConnection: () => wire });
  session.on("error", () => {});
  const sockets = new Set<Socket>();
  const ended = new Promise<void>((resolve) => {
    helper.once("exit", () => resolve());
    helper.once("error", () => resolve());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    if (session.destroyed) return void socket.destroy();
    const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
    socket.pipe(stream).pipe(socket);
    for (const [one, other] of [
      [socket, stream],
      [stream, socket],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    session.destroy();
    wire.destroy();
    end();
    await ended;
  };
  void ended.then(close);
  const isConnected = await Promise.race([
    new Promise<boolean>((resolve) => session.once("remoteSettings", () => resolve(true))),
    ended.then(() => false),
  ]);
  if (!isConnected) throw new Error("the program that passes connections on could not be started");
  return { port, close };
}

const folder = "/run/cogency";
const node = `${folder}/node`;

/** The build puts `forward-process` beside this file. CommonJS has no `import.meta`, and ES modules have no `__filename`. */
const thisFile = typeof __filename === "string" ? __filename : import.meta.filename;
const forwardFile = thisFile.replace(/[^/\\]+(\.[cm]?[jt]s)$/, "forward-process$1");

/** No package.json lies beside the mounted file, so its extension must name the module format. */
const extensions: Readonly<Record<string, string>> = { ".js": ".mjs", ".cjs": ".cjs", ".ts": ".mts" };
const program = `${folder}/forward${extensions[extname(forwardFile)] ?? ".mjs"}`;
