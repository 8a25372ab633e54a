import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Key, Store } from "@cogency/storage";
import { Refusal } from "./refusal.ts";

/** The sequence number after which the client wants events: a browser that connects again names the last one that it has. */
export function firstEvent({ headers }: IncomingMessage, { searchParams }: URL): number {
  const given = headers["last-event-id"] ?? searchParams.get("after") ?? "0";
  const after = Number(given);
  if (!/^\d+$/.test(String(given)) || !Number.isSafeInteger(after)) {
    throw new Refusal(400, "`after` is the number of an event, or 0.");
  }
  return after;
}

/** Sends the log, each event under its sequence number, no faster than the client reads; until the client leaves. */
export async function sendEvents(
  response: ServerResponse,
  store: Pick<Store, "follow">,
  key: Key,
  after: number,
): Promise<void> {
  const leaving = new AbortController();
  response.once("close", () => leaving.abort());
  const { signal } = leaving;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" }).flushHeaders();
  for await (const event of store.follow(key, { after, signal })) {
    const hasRoom = response.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
    if (!hasRoom) await once(response, "drain", { signal }).catch(() => {});
  }
  response.end();
}
