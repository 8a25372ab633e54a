import { once } from "node:events";
import { type Executable, environmentOf } from "./executable.ts";
import type { StartedProcesses } from "./started-processes.ts";

/**
 * Starts `program/mcp/serve.js`, and gives its address.
 *
 * @param host of the pages that it admits
 */
export async function startMcpServer(
  processes: StartedProcesses,
  node: Executable,
  site: string,
  host: string,
): Promise<string> {
  const server = processes.start(node.file, ["program/mcp/serve.js", host], {
    cwd: site,
    env: environmentOf(node, site),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(server, "close");
  let output = "";
  return new Promise((resolve, reject) => {
    const hear = (chunk: string) => {
      output += chunk;
      const [found] = /http:\S+(?=\n)/.exec(output) ?? [];
      if (found) resolve(found);
    };
    server.stdout?.setEncoding("utf8").on("data", hear);
    server.stderr?.setEncoding("utf8").on("data", hear);
    closed.then(() => reject(new Error(`The server ended before it listened.\n${output}`)), reject);
  });
}
