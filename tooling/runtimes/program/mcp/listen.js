/**
 * Serves a Web handler on loopback with the server of the runtime: Bun's, Deno's or Node's.
 *
 * @param {(request: Request) => Promise<Response>} handler
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function listen(handler) {
  const { Bun, Deno } = /** @type {Servers} */ (/** @type {unknown} */ (globalThis));
  const place = { hostname: "127.0.0.1", port: 0 };
  if (Bun) {
    const server = Bun.serve({ ...place, fetch: handler });
    return { url: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) };
  }
  if (Deno) {
    const server = Deno.serve({ ...place, onListen: () => {} }, handler);
    return { url: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() };
  }
  return (await import("./listen-node.js")).listenNode(handler);
}

/**
 * @typedef {{ hostname: string, port: number }} Place
 * @typedef {(request: Request) => Promise<Response>} Handler
 * @typedef {{
 *   Bun?: { serve(options: Place & { fetch: Handler }): { port: number, stop(now: boolean): Promise<void> } },
 *   Deno?: {
 *     serve(
 *       options: Place & { onListen(): void },
 *       handler: Handler,
 *     ): { addr: { port: number }, shutdown(): Promise<void> },
 *   },
 * }} Servers
 */
