import type { StoredEvent } from "@cogency/storage";
import { type Change, ChangeReader, type TurnEnding } from "../../bridge/index.ts";
import type { ConversationState } from "../../conversation/conversation-state.ts";
import type { Stretch } from "../place/find-place.ts";
import type { Answer } from "./answer.ts";
import type { Known } from "./known.ts";
import { withTurn } from "./with-turn.ts";

interface Stored {
  readonly events: readonly StoredEvent[];
  readonly state: ConversationState;
  readonly stretch: Stretch;
}

/** Reads what the log has of an answer. One that is still being given is not ended. */
export function readStored({ events, state, stretch }: Stored, answer: Answer, known: Known): void {
  const { first, next = Number.POSITIVE_INFINITY } = stretch;
  const changes = new ChangeReader();
  let ending: TurnEnding | undefined;
  const ours = events.filter(({ seq }) => seq < next);
  for (const event of ours) known.seeEvent(event);
  for (const event of withTurn(ours, first)) {
    const isOurs = event.seq >= first;
    for (const change of changes.read({ type: "event", event })) {
      known.see(change);
      if (!isOurs) continue;
      answer.read(change);
      ending = endingAt(change, ending);
    }
  }
  const isLast = stretch.next === undefined;
  if (!ending && isLast && state === "running") return;
  answer.end(ending ?? { status: known.open().length > 0 ? "waiting" : "failed" });
}

/** How the answer has ended, as its changes say: by the last one that says so. */
export function endingAt(change: Change, before: TurnEnding | undefined): TurnEnding | undefined {
  if (change.type === "question" || change.type === "unit") return undefined;
  if (change.type === "notice") {
    const { code, message, parked } = change.part;
    return { status: parked ? "parked" : "failed", code, message };
  }
  if (change.type !== "end") return before;
  const { status, stop, error } = change.part;
  return {
    status,
    ...(stop && { code: stop.reason, message: stop.message }),
    ...(error && { code: error.code, message: error.message }),
  };
}
