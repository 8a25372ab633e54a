import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { answerOf } from "./plan.ts";

/** The server of the model, which counts the requests that are open. */
export interface ModelServer {
  readonly url: string;
  readonly open: number;
  /** The most that were open at one time. */
  readonly most: number;
  readonly total: number;
  close(): Promise<void>;
}

/** @param delay milliseconds that each answer takes */
export async function startModelServer(delay: number): Promise<ModelServer> {
  const state = { open: 0, most: 0, total: 0 };
  const server = createServer(async (request, response) => {
    state.total++;
    state.most = Math.max(state.most, ++state.open);
    response.once("close", () => state.open--);
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
    get open() {
      return state.open;
    },
    get most() {
      return state.most;
    },
    get total() {
      return state.total;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
