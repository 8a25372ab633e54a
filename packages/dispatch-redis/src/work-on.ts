import { settlesWithin, wait } from "@cogency/async";
import type { Stop, WakeHandler } from "@cogency/worker";
import type { RedisClient } from "./client.ts";
import { moveDue, putBack, takeWake, type WakeKeys } from "./wakes.ts";

/**
 * Takes one wake after another, over a connection of its own, because waiting for one blocks it.
 *
 * @throws Error if it cannot connect
 */
export async function workOn(client: RedisClient, keys: WakeKeys, handler: WakeHandler): Promise<Stop> {
  const ending = new AbortController();
  const { signal } = ending;
  const blocking = client.duplicate();
  // The client that it was made of tells its own.
  blocking.on("error", () => {});
  await blocking.connect();
  /** Of the connection, for the server. */
  let id = "";
  let isTaking = false;

  const take = async (): Promise<string | null> => {
    isTaking = true;
    try {
      id = String(await blocking.sendCommand(["CLIENT", "ID"]));
      await moveDue(blocking, keys);
      return signal.aborted ? null : await takeWake(blocking, keys);
    } finally {
      isTaking = false;
    }
  };
  const working = (async () => {
    while (!signal.aborted) {
      const member = await take().catch(() => wait(retryAfter, signal));
      if (!member) continue;
      // Taken while it stopped: another worker gets it.
      if (signal.aborted) await putBack(client, keys, member).catch(() => {});
      else await handler().catch(() => {});
    }
  })();
  return async () => {
    ending.abort();
    if (isTaking) await settlesWithin(client.sendCommand(["CLIENT", "UNBLOCK", id]), answerTime);
    // A server that does not answer any more must not keep the worker.
    if (isTaking && !(await settlesWithin(working, answerTime))) blocking.destroy();
    await working;
    if (blocking.isOpen) blocking.destroy();
  };
}

/** Milliseconds until a server that failed is asked again. */
const retryAfter = 500;

/** Milliseconds that a server has to answer when a worker stops. */
const answerTime = 2000;
