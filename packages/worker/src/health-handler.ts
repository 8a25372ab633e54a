import type { Worker, WorkerHealth } from "./worker.ts";

/**
 * Answers whether a worker works, for the program that restarts it or sends it traffic, at every address:
 *
 * - 200 `{ state, running, concurrency }` while it works or waits for work
 * - 503 `{ …, reason }` before the store has answered for the first time (`starting`), when the store has not answered for a minute
 *   (`store_silent`), and when the worker drains (`draining`) or has ended (`ended`)
 *
 * The response has numbers only: no name of a conversation, of a user or of the worker, and no message of an error.
 */
export function healthHandler(worker: Pick<Worker, "health">): (request: Request) => Promise<Response> {
  return async ({ method }) => {
    if (method !== "GET" && method !== "HEAD")
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
    const health = worker.health();
    const { state, concurrency, running } = health;
    const reason = faultOf(health);
    return Response.json(
      { state, running: running.length, concurrency, ...(reason !== undefined && { reason }) },
      { status: reason === undefined ? 200 : 503, headers: { "cache-control": "no-store" } },
    );
  };
}

type Fault = "starting" | "draining" | "ended" | "store_silent";

function faultOf({ state, lookedSecondsAgo, silentSeconds }: WorkerHealth): Fault | undefined {
  if (state === "draining" || state === "ended") return state;
  if (lookedSecondsAgo === undefined) return "starting";
  return silentSeconds > longestSilence ? "store_silent" : undefined;
}

/** Seconds. */
const longestSilence = 60;
