import { jsonResponse } from "../json-response.ts";
import type { AskedOfOne } from "../route.ts";

/**
 * `GET /conversations/ID/messages`: those of people that no run has read yet, in the order in which they were posted, without
 * signatures. Who may read the log gets those of programs, too.
 */
export async function listWaiting({ store, key, sender }: AskedOfOne): Promise<Response> {
  const seesAll = sender.scopes.has("log");
  const waiting = (await store.inbox(key)).filter(({ message }) => seesAll || ofPeople.has(message.kind));
  return jsonResponse(
    200,
    waiting.map(({ id, message: { proof: _, ...message }, postedAt }) => ({ id, ...message, postedAt })),
  );
}

const ofPeople: ReadonlySet<string> = new Set(["prompt", "steer", "approve", "deny", "answer", "cancel"]);
