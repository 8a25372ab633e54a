import { once } from "node:events";
import { join } from "node:path";
import { workspaceRoot } from "@tooling/checks/workspace";
import type { StartedProcesses } from "./started-processes.ts";

/** The server of `apps/example-page`, in a process of its own. */
export interface ExamplePage {
  url: string;
  /** Asks it to stop. Rejects unless it ends without an error. */
  stop(): Promise<void>;
  /** Ends it as the system does when memory runs out. */
  kill(): Promise<void>;
}

/**
 * Starts the server as its users do.
 *
 * @param port 0 for any that is free
 */
export async function startExamplePage(
  processes: StartedProcesses,
  folder: string,
  port: number | string,
): Promise<ExamplePage> {
  const server = processes.start(process.execPath, [join(workspaceRoot, "apps/example-page/server.ts"), folder], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(server, "close");
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: string) => {
      output += chunk;
      const [found] = /http:\S+(?=\n)/.exec(output) ?? [];
      if (found) resolve(found);
    };
    server.stdout?.setEncoding("utf8").on("data", hear);
    server.stderr?.setEncoding("utf8").on("data", hear);
    closed.then(() => reject(new Error(`The server ended before it listened.\n${output}`)), reject);
  });
  return {
    url,
    async stop() {
      server.kill("SIGTERM");
      const [code, signal] = await closed;
      if (code !== 0) throw new Error(`The server ended with ${signal ?? `exit code ${code}`}.\n${output}`);
    },
    async kill() {
      server.kill("SIGKILL");
      await closed;
    },
  };
}
