import type { Asked } from "../route.ts";
import { eventResponse, eventStream } from "../stream/event-stream.ts";

/**
 * `GET /changes`: the user's 100 newest conversations as `{ conversations }`, and then what changes in that list as
 * `{ changed, removed }`. A reader that connects again gets the whole list again.
 */
export async function followChanges({
  looks,
  sender,
  request,
  limits,
  streamTime,
  keepAlive,
  onError,
}: Asked): Promise<Response> {
  return eventResponse(
    eventStream({
      open: () => looks.read(sender.user),
      at: 0,
      reopens: true,
      time: streamTime,
      keepAlive,
      onEnd: limits.openStream(sender.user),
      signal: request.signal,
      onError: (error) => onError(error, request),
    }),
  );
}
