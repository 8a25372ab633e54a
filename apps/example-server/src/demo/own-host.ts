import type { Handler } from "@cogency/server";

/**
 * Lets only requests in that name this server as people do. Without accounts nothing else would keep out the page of a stranger that has
 * given its own name to this address (DNS rebinding).
 */
export function onlyFor(port: number, handler: Handler): Handler {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  return async (request) => {
    if (hosts.has(request.headers.get("host") ?? "")) return handler(request);
    const message = `Ask http://127.0.0.1:${port} instead.`;
    return Response.json({ error: { code: "wrong_host", message } }, { status: 421 });
  };
}
