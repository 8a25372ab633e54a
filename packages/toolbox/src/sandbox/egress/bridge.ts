import { performServerHandshake } from "node:http2";
import { extname } from "node:path";
import type { Duplex } from "node:stream";
import type { Lookup } from "../../web/request/exchange.ts";
import { sandboxFiles } from "../mounts/plan-mounts.ts";
import { openEgressProxy } from "./egress-proxy.ts";
import type { HostRules } from "./host-rules.ts";

/** Connects a sandbox to the proxy outside. */
export interface Bridge {
  /** Serves the one descriptor that connects the sandbox; each of its HTTP/2 streams is a connection. */
  connect(wire: Duplex): void;
  /** Arguments of bubblewrap. */
  mounts: readonly string[];
  /** Program and arguments to put before the command. */
  command: readonly string[];
  /** Variables that name the proxy to programs. */
  env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a proxy for one command, and a bridge to it from a sandbox without network. */
export function openBridge(rules: HostRules, lookup?: Lookup): Bridge {
  const proxy = openEgressProxy({ rules, lookup });
  const node = `${sandboxFiles}/node`;
  const program = `${sandboxFiles}/bridge${extensions[extname(bridgeFile)] ?? ".mjs"}`;
  const address = `http://127.0.0.1:${proxyPort}`;
  const here = "localhost,127.0.0.1,::1";
  return {
    connect(wire) {
      const session = performServerHandshake(wire, { settings: { maxConcurrentStreams: mostConnections } });
      session.on("error", () => wire.destroy());
      session.on("stream", (stream) => {
        stream.on("error", () => {});
        stream.respond({ ":status": 200 });
        proxy.serve(stream);
      });
    },
    mounts: [...["--ro-bind", process.execPath, node], ...["--ro-bind", bridgeFile, program]],
    command: [node, program, `${proxyPort}`],
    env: {
      ...{ HTTP_PROXY: address, HTTPS_PROXY: address, ALL_PROXY: address, NO_PROXY: here },
      ...{ http_proxy: address, https_proxy: address, all_proxy: address, no_proxy: here },
      NODE_USE_ENV_PROXY: "1",
    },
    close: () => proxy.close(),
  };
}

const mostConnections = 128;

/** A fixed port is free: the sandbox has its own network, where nothing listens before the command starts. */
const proxyPort = 3128;

/** The build puts `bridge-process` beside this file. CommonJS has no `import.meta`, and ES modules have no `__filename`. */
const thisFile = typeof __filename === "string" ? __filename : import.meta.filename;
const bridgeFile = thisFile.replace(/[^/\\]+(\.[cm]?[jt]s)$/, "bridge-process$1");

/** No package.json lies beside the mounted file, so its extension must name the module format. */
const extensions: Readonly<Record<string, string>> = { ".js": ".mjs", ".cjs": ".cjs", ".ts": ".mts" };
