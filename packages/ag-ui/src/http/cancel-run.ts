import { Problem } from "@cogency/server";
import type { Visit } from "@cogency/server/bridge";

/** `POST prefix/THREAD/cancel`: ends what goes on in a conversation. Leaving a stream does not. */
export async function cancelRun(visit: Visit, threadId: string): Promise<Response> {
  const key = visit.keyOf(threadId);
  const { state, last } = await visit.read(key);
  if (last === 0 && state === "idle") throw new Problem("not_found", "There is no such conversation.");
  if (state !== "idle") await visit.post(key, [{ id: `cancel-${crypto.randomUUID()}`, content: { kind: "cancel" } }]);
  return new Response(null, { status: 202 });
}
