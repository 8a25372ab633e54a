import { extname } from "node:path";
import type { Lookup } from "../web/exchange.ts";
import { openEgressProxy } from "./egress-proxy.ts";
import type { HostRules } from "./host-rules.ts";
import { SANDBOX_OWN } from "./plan-mounts.ts";

/** How a sandbox gets at the proxy outside. */
export interface Bridge {
  /** Arguments of bubblewrap. */
  mounts: readonly string[];
  /** Stands in front of the command. */
  command: readonly string[];
  /** Where programs look for a proxy. */
  env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a proxy for one command, and what leads to it from a sandbox that has no network. */
export async function openBridge(rules: HostRules, lookup?: Lookup): Promise<Bridge> {
  const proxy = await openEgressProxy({ rules, lookup });
  const [node, socket] = [`${SANDBOX_OWN}/node`, `${SANDBOX_OWN}/proxy`];
  const program = `${SANDBOX_OWN}/bridge${EXTENSIONS[extname(PROGRAM)] ?? ".mjs"}`;
  const address = `http://127.0.0.1:${PORT}`;
  const here = "localhost,127.0.0.1,::1";
  return {
    mounts: [
      ...["--ro-bind", process.execPath, node],
      ...["--ro-bind", PROGRAM, program],
      ...["--ro-bind", proxy.socket, socket],
    ],
    command: [node, program, socket, `${PORT}`],
    env: {
      ...{ HTTP_PROXY: address, HTTPS_PROXY: address, ALL_PROXY: address, NO_PROXY: here },
      ...{ http_proxy: address, https_proxy: address, all_proxy: address, no_proxy: here },
      NODE_USE_ENV_PROXY: "1",
    },
    close: () => proxy.close(),
  };
}

/** In a network of its own, where nothing else listens before the command does. */
const PORT = 3128;

/** The build puts it beside the code; CommonJS has no `import.meta`, and ES modules have no `__filename`. */
const HERE = typeof __filename === "string" ? __filename : import.meta.filename;
const PROGRAM = HERE.replace(/[^/\\]+(\.[cm]?[jt]s)$/, "bridge-process$1");

/** Where it is mounted no package.json says what a file is. */
const EXTENSIONS: Readonly<Record<string, string>> = { ".js": ".mjs", ".cjs": ".cjs", ".ts": ".mts" };
