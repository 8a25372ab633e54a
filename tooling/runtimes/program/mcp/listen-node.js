import { createServer } from "node:http";
import { nodeListener } from "@cogency/server/node";

/**
 * @param {(request: Request) => Promise<Response>} handler
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function listenNode(handler) {
  const server = createServer(nodeListener(handler));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
