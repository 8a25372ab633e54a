const allowed = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers":
    "accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
  "access-control-max-age": "3600",
};

/** Answers the question of a browser whether a page may send a request. The guard has refused other pages before. */
export function preflight(request: Request): Response | undefined {
  if (request.method !== "OPTIONS" || !request.headers.has("origin")) return undefined;
  return new Response(null, { status: 204, headers: allowed });
}

/** Lets the page that has sent a request read the answer. Cookies of the browser do not count. */
export function readableBy(request: Request, response: Response): Response {
  const origin = request.headers.get("origin");
  if (origin === null) return response;
  const { body, status } = response;
  const headers = new Headers(response.headers);
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-expose-headers", "mcp-session-id, www-authenticate");
  headers.append("vary", "origin");
  return new Response(body, { status, headers });
}
