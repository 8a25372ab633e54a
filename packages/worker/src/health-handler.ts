import { checkOption, having, required } from "@cogency/protocol/options";
import type { Worker, WorkerHealth } from "./worker.ts";

/**
 * Answers whether a worker works, for the program that restarts it or sends it traffic, at every address:
 *
 * - 200 `{ state, running, concurrency }` while it works or waits for work
 * - `failing` stands beside it while runs fail: the number of conversations for each code, such as `{ "authentication": 3 }`; `parked`
 *   is the number of conversations that the worker has parked. The status stays 200, because another process would not mend that
 * - 503 `{ …, reason }` before the store has answered for the first time (`starting`), when the store has not answered for a minute
 *   (`store_silent`), and when the worker drains (`draining`) or has ended (`ended`)
 *
 * The response has numbers and codes only: no name of a conversation, of a user or of the worker, and no message of an error.
 */
export function healthHandler(worker: Pick<Worker, "health">): (request: Request) => Promise<Response> {
  checkOption("healthHandler", "worker", worker, required(having("a worker", "health")));
  return async ({ method }) => {
    if (method !== "GET" && method !== "HEAD")
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
    const health = worker.health();
    const { state, concurrency, running, failing, parked } = health;
    const reason = faultOf(health);
    return Response.json(
      {
        state,
        running: running.length,
        concurrency,
        ...(failing.length > 0 && {
          failing: Object.fromEntries(failing.map(({ code, conversations }) => [code, conversations])),
        }),
        ...(parked.length > 0 && { parked: parked.length }),
        ...(reason !== undefined && { reason }),
      },
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
