import type { Server } from "node:http";
import { listen } from "@tooling/loopback/listen";

/** A server on loopback, until it is closed. */
export interface ModelServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): void;
}

export async function startServer(server: Server): Promise<ModelServer> {
  let close = () => {};
  const { url } = await listen(server, {
    onEnd(end) {
      close = end;
    },
  });
  return { url, close };
}
