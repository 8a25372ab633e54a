import { eventStream } from "../event-stream.ts";
import { Problem } from "../problem.ts";
import type { AskedOfOne } from "../route.ts";

/** `GET /conversations/ID/events`: those after `Last-Event-ID`, or all; waits for a conversation that does not exist yet. */
export async function followEvents(asked: AskedOfOne): Promise<Response> {
  const { store, key, request, limits, streamTime, keepAlive, onError } = asked;
  const after = lastEventOf(request);
  const [last] = await store.load(key, { last: 1 });
  if (after > (last?.seq ?? 0)) {
    throw new Problem(
      "conflict",
      "This reader has seen more events than the conversation has: it was deleted. Read it from the first event on.",
    );
  }
  const body = eventStream({
    follow: (from, signal) => store.follow(key, { after: from, signal }),
    after,
    time: streamTime,
    keepAlive,
    onEnd: limits.openStream(key.user),
    signal: request.signal,
    onError: (error) => onError(error, request),
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // nginx would collect events otherwise.
      "x-accel-buffering": "no",
    },
  });
}

function lastEventOf({ headers }: Request): number {
  const given = headers.get("last-event-id") ?? "0";
  const after = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(after))
    throw new Problem("invalid_request", "`Last-Event-ID` is the number of an event.");
  return after;
}
