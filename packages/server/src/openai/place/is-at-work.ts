import type { StoredEvent, StoredMessage } from "@cogency/storage";
import type { ConversationState } from "../../conversation/conversation-state.ts";
import { beginning, stretchOf } from "./find-place.ts";
import { isOfRequest } from "./ids.ts";

interface Now {
  readonly events: readonly StoredEvent[];
  readonly state: ConversationState;
  readonly inbox: readonly StoredMessage[];
}

/** Whether what the conversation does is the answer to the request whose first message has this id: not one before it or after it. */
export function isAtWork(message: string, { events, state, inbox }: Now): boolean {
  if (state !== "running") return false;
  const stretch = stretchOf(events, message);
  const last = events.findLast((event) => event.type !== "record" || event.kind === "run");
  const hasEnded = !last || last.type === "record" || last.type === "cancelled";
  if (stretch) return stretch.next === undefined && !(hasEnded && last && last.seq > stretch.first);
  // No run has read it yet. A cancel is for the next one, if that is to answer it.
  const next = inbox.find(({ message }) => beginning.has(message.kind));
  return hasEnded && next !== undefined && isOfRequest(next.id, message);
}
