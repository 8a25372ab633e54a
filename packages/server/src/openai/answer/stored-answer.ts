import type { StoredEvent } from "@cogency/storage";
import { Changes, type TurnEnding } from "../../bridge/index.ts";
import type { ConversationState } from "../../conversation/conversation-state.ts";
import type { Stretch } from "../place/find-place.ts";
import type { Answer } from "./answer.ts";
import type { Known } from "./known.ts";

interface Stored {
  readonly events: readonly StoredEvent[];
  readonly state: ConversationState;
  readonly stretch: Stretch;
}

/** Reads what the log has of an answer. One that is still being given is not ended. */
export function readStored({ events, state, stretch }: Stored, answer: Answer, known: Known): void {
  const { first, next = Number.POSITIVE_INFINITY } = stretch;
  const changes = new Changes();
  let ending: TurnEnding | undefined;
  for (const event of events) {
    if (event.seq >= next) break;
    const isOurs = event.seq >= first;
    known.seeEvent(event);
    for (const change of changes.read({ type: "event", event })) {
      known.see(change);
      if (isOurs) answer.read(change);
    }
    if (isOurs) ending = endingIn(event) ?? ending;
  }
  const isLast = stretch.next === undefined;
  if (!ending && isLast && state === "running") return;
  answer.end(ending ?? (isLast && state === "parked" ? { status: "parked" } : { status: "waiting" }));
}

function endingIn(event: StoredEvent): TurnEnding | undefined {
  if (event.type === "cancelled") return { status: "cancelled" };
  if (event.type !== "record" || event.kind !== "run") return undefined;
  const { status, stop, error } = event.data;
  return {
    status,
    ...(stop && { code: stop.reason, message: stop.message }),
    ...(error && { code: error.code, message: error.message }),
  };
}
