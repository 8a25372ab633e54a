import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";
import { eventResponse, eventStream } from "../stream/event-stream.ts";
import { readConversation } from "../stream/read-conversation.ts";
import { viewOf } from "../view/view.ts";

/**
 * `GET /conversations/ID/events?view=parts`: the events after `Last-Event-ID`, or all, and between them the pieces of what a run is
 * writing; waits for a conversation that does not exist yet.
 */
export async function followEvents(asked: AskedOfOne): Promise<Response> {
  const { store, key, url, sender, request, limits, streamTime, keepAlive, onError } = asked;
  const view = viewOf(url, sender.scopes);
  const after = lastEventOf(request);
  const [last] = await store.load(key, { last: 1 });
  if (after > (last?.seq ?? 0)) {
    throw new Problem(
      "conflict",
      "This reader has seen more events than the conversation has: it was deleted. Read it from the first event on.",
    );
  }
  return eventResponse(
    eventStream({
      open: (at) => readConversation({ store, key, view }, at),
      at: after,
      reopens: true,
      time: streamTime,
      keepAlive,
      onEnd: limits.openStream(key.user),
      signal: request.signal,
      onError: (error) => onError(error, request),
    }),
  );
}

function lastEventOf({ headers }: Request): number {
  const given = headers.get("last-event-id") ?? "0";
  const after = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(after))
    throw new Problem("invalid_request", "`Last-Event-ID` is the number of an event.");
  return after;
}
