import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A real server until the test is over; its address, without a path. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Another Node of this version until the test is over. */
export function run(args: readonly string[], output: "inherit" | "pipe"): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ["ignore", output, "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Reads text, and undefined at the end. */
export function readerOf(response: Response): { read(): Promise<string | undefined> } {
  const reader = response.body?.getReader();
  return {
    async read() {
      const piece = await reader?.read();
      return piece?.value && new TextDecoder().decode(piece.value);
    },
  };
}
