/** @typedef {(url: string | URL, init?: RequestInit) => Promise<Response>} Fetch */

/** Both revisions of the protocol, and a `fetch` with which a client comes to speak each of them with a server that knows both. */
export const revisions = {
  "2026-07-28": (/** @type {Fetch} */ fetch) => fetch,
  "2025-11-25": (/** @type {Fetch} */ fetch) => withoutDiscovery(fetch),
};

/**
 * Answers the first question of a client of 2026-07-28 as an older server does, which does not know it.
 *
 * @param {Fetch} fetch
 * @returns {Fetch}
 */
function withoutDiscovery(fetch) {
  return async (url, init) => {
    const { method, id } = typeof init?.body === "string" ? JSON.parse(init.body) : {};
    if (method !== "server/discover") return fetch(url, init);
    return Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  };
}
