import type { FetchLike } from "@modelcontextprotocol/client";
import { type Challenge, challengeOf, noChallenge } from "./challenge.ts";

/**
 * Asks a server, without a token, what a login to it needs. A server that does not say, or does not answer within 30 s, is no error: its
 * metadata may stand in the usual places.
 *
 * @throws LoginError `wrong_server` if its metadata are at another server; the reason of the signal
 */
export async function firstChallenge(server: URL, fetch: FetchLike, signal: AbortSignal): Promise<Challenge> {
  signal.throwIfAborted();
  const response = await fetch(server, {
    method: "POST",
    redirect: "manual",
    credentials: "omit",
    headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
  }).catch(() => undefined);
  signal.throwIfAborted();
  void response?.body?.cancel().catch(() => {});
  return response?.status === 401 ? challengeOf(response, server) : noChallenge;
}
