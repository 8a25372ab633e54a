import { performServerHandshake } from "node:http2";
import { extname } from "node:path";
import type { Duplex } from "node:stream";
import type { Lookup } from "../../web/request/exchange.ts";
import { sandboxOwn } from "../mounts/plan-mounts.ts";
import { openEgressProxy } from "./egress-proxy.ts";
import type { HostRules } from "./host-rules.ts";

/** How a sandbox gets at the proxy outside. */
export interface Bridge {
  /** What comes over the one descriptor by which the sandbox is connected: many connections, as streams of HTTP/2. */
  connect(wire: Duplex): void;
  /** Arguments of bubblewrap. */
  mounts: readonly string[];
  /** Stands in front of the command. */
  command: readonly string[];
  /** Where programs look for a proxy. */
  env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a proxy for one command, and what leads to it from a sandbox that has no network. */
export function openBridge(rules: HostRules, lookup?: Lookup): Bridge {
  const proxy = openEgressProxy({ rules, lookup });
  const node = `${sandboxOwn}/node`;
  const program = `${sandboxOwn}/bridge${extensions[extname(bridgeFile)] ?? ".mjs"}`;
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

/** In a network of its own, where nothing else listens before the command does. */
const proxyPort = 3128;

/** The build puts it beside the code; CommonJS has no `import.meta`, and ES modules have no `__filename`. */
const thisFile = typeof __filename === "string" ? __filename : import.meta.filename;
const bridgeFile = thisFile.replace(/[^/\\]+(\.[cm]?[jt]s)$/, "bridge-process$1");

/** Where it is mounted no package.json says what a file is. */
const extensions: Readonly<Record<string, string>> = { ".js": ".mjs", ".cjs": ".cjs", ".ts": ".mts" };
