import { jsonResponse } from "../json-response.ts";
import type { AskedOfOne } from "../route.ts";

/** `GET /conversations/ID/messages`: those that no run has read yet, in the order in which they were posted, without signatures. */
export async function listWaiting({ store, key }: AskedOfOne): Promise<Response> {
  const waiting = await store.inbox(key);
  return jsonResponse(
    200,
    waiting.map(({ id, message: { proof: _, ...message }, postedAt }) => ({ id, ...message, postedAt })),
  );
}
