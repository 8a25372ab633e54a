import { startTimer } from "@cogency/async";
import type { Client, McpSubscription } from "@modelcontextprotocol/client";
import { backoff } from "../connection/backoff.ts";

/**
 * Opens the stream again on which a server of 2026-07-28 tells that its lists have changed, when the server or the way to it has ended it.
 * The SDK opens it once.
 *
 * @param isOver whether another client is connected, or none
 * @param missed called when it is open again: the lists may have changed meanwhile
 */
export function keepListening(client: Client, isOver: () => boolean, missed: () => void): void {
  const first = client.autoOpenedSubscription;
  if (first) keep(first, 0);

  function keep({ closed, honoredFilter }: McpSubscription, failures: number): void {
    const since = Date.now();
    void closed.then((by) => {
      if (by !== "local") openLater(honoredFilter, Date.now() - since > longEnough ? 1 : failures + 1);
    });
  }

  function openLater(filter: McpSubscription["honoredFilter"], failures: number): void {
    startTimer(backoff(failures), async () => {
      if (isOver()) return;
      try {
        keep(await client.listen(filter), failures);
        missed();
      } catch {
        openLater(filter, failures + 1);
      }
    });
  }
}

/** Milliseconds after which a stream counts as one that works. */
const longEnough = 30_000;
