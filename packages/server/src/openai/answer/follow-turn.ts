import type { StoredEvent } from "@cogency/storage";
import { ChangeReader, type TurnEnding, type TurnItem } from "../../bridge/index.ts";
import { isOfRequest } from "../place/ids.ts";
import type { Answer, WireEvent } from "./answer.ts";
import type { Known } from "./known.ts";
import { withTurn } from "./with-turn.ts";

export interface Followed {
  /** The events of the conversation before the turn. */
  readonly events: readonly StoredEvent[];
  /** The items after those. The last one is `over`. */
  readonly items: AsyncIterable<TurnItem>;
  /** The id of the first message of the request. */
  readonly message: string;
}

/**
 * Reads a turn into an answer, from the message of the request on: what a turn before it still writes is left out. Yields the events of the
 * wire, and returns how the turn ended.
 */
export async function* followTurn(
  { events, items, message }: Followed,
  answer: Answer,
  known: Known,
): AsyncGenerator<WireEvent, TurnEnding> {
  const changes = new ChangeReader();
  for (const event of events) known.seeEvent(event);
  for (const event of withTurn(events, Number.POSITIVE_INFINITY)) {
    for (const change of changes.read({ type: "event", event })) known.see(change);
  }
  yield* answer.begin();
  let isOurs = false;
  for await (const item of items) {
    isOurs ||= isTaken(item, message);
    if (item.type === "event") known.seeEvent(item.event);
    for (const change of changes.read(item)) {
      known.see(change);
      if (isOurs) yield* answer.read(change);
    }
    if (item.type !== "over") continue;
    yield* answer.end(item.ending);
    return item.ending;
  }
  // Nobody reads it any more.
  return { status: "cancelled" };
}

/** Whether a run has taken a message of the request. */
function isTaken(item: TurnItem, message: string): boolean {
  if (item.type !== "event" || item.event.type !== "record" || item.event.kind !== "message") return false;
  return isOfRequest(item.event.data.id, message);
}
