import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { answerOf } from "./plan.ts";

/** A request that is open. */
interface OpenRequest {
  /** The process that sent it. */
  pid: number;
  /** By `performance.now()`, when it came. */
  at: number;
}

/** The server of the model, which counts the requests that are open. */
export interface ModelServer {
  readonly url: string;
  /** Those that were open when most were. */
  readonly most: readonly OpenRequest[];
  close(): Promise<void>;
}

/** @param delay milliseconds that each answer takes */
export async function startModelServer(delay: number): Promise<ModelServer> {
  const open = new Set<OpenRequest>();
  let most: OpenRequest[] = [];
  const server = createServer(async (request, response) => {
    const one = { pid: Number(request.headers["x-pid"]), at: performance.now() };
    open.add(one);
    if (open.size > most.length) most = [...open];
    response.once("close", () => open.delete(one));
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The process that asked was killed.
    }
    await pause(delay);
    response.end(answerOf(JSON.parse(Buffer.concat(chunks).toString())));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    get most() {
      return most;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
