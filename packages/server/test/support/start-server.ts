import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server of a store in a process of its own. */
export interface ServerProcess {
  readonly port: string;
  readonly pid: number;
  /** Ends it with SIGKILL, if it has not ended. */
  kill(): Promise<void>;
}

/**
 * @param address the file of a SQLite store, or the URL of a PostgreSQL database
 * @param port `0` for any that is free
 */
export async function startServer(
  address: string,
  port: string,
  duty: "serve" | "serve-and-work" = "serve",
): Promise<ServerProcess> {
  const file = fileURLToPath(new URL("server-process.ts", import.meta.url));
  const child = spawn(process.execPath, [file, address, port, duty], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return {
    port: line,
    pid: Number(child.pid),
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}
