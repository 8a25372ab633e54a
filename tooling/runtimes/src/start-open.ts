import { once } from "node:events";
import { join } from "node:path";
import { workspaceRoot } from "@tooling/checks/workspace";
import type { StartedProcesses } from "./started-processes.ts";

/** `cogency open` in a process of its own. */
export interface OpenProcess {
  /** Lets one browser in. */
  readonly link: string;
  readonly origin: string;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>;
}

/** @param folder that of the project, and the home of its person */
export async function startOpen(
  processes: StartedProcesses,
  folder: string,
  options: readonly string[],
): Promise<OpenProcess> {
  const command = join(workspaceRoot, "apps/cli/bin/cogency.cjs");
  const child = processes.start(process.execPath, [command, "open", "--no-browser", ...options], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const closed = once(child, "close");
  let output = "";
  const link = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      const [, found] = /^Open (\S+)\n/m.exec(output) ?? [];
      if (found) resolve(found);
    });
    closed.then(() => reject(new Error(`cogency open ended before it listened.\n${output}`)), reject);
  });
  return {
    link,
    origin: new URL(link).origin,
    async stop() {
      child.kill("SIGINT");
      const [code] = await closed;
      if (code !== 130) throw new Error(`cogency open ended with ${code}.\n${output}`);
    },
  };
}
