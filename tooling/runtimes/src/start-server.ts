import { once } from "node:events";
import { type Executable, environmentOf } from "./executable.ts";
import type { StartedProcesses } from "./started-processes.ts";

/**
 * Starts a program that serves until it is ended, and gives the address that it prints.
 *
 * @param args the program and what it is given, in the folder of the site
 */
export async function startServer(
  processes: StartedProcesses,
  node: Executable,
  site: string,
  args: readonly string[],
): Promise<string> {
  const server = processes.start(node.file, [...args], {
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
