import { spawn } from "node:child_process";
import { once } from "node:events";
import { execPath } from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../server.ts", import.meta.url));

/** Starts our server on a free port, and ends it when the work is done. It prints its address when it listens. */
export async function withServer<T>(work: (address: string) => Promise<T>): Promise<T> {
  const child = spawn(execPath, [program, "--http", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  try {
    const listening = once(createInterface(child.stdout), "line");
    const [address] = await Promise.race([listening, ended.then(() => [undefined])]);
    if (typeof address !== "string") throw new Error("The server ended before it listened.");
    return await work(address);
  } finally {
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(late);
  }
}
