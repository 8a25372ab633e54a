import { shownEvent } from "../view/shown-event.ts";
import { shownPieces } from "../view/shown-pieces.ts";
import type { TurnItem } from "./turn-item.ts";

/**
 * What a user with these scopes may see of an item (docs/views.md): the same item with fewer fields. Undefined if nothing of it.
 */
export function shownItem(item: TurnItem, scopes: ReadonlySet<string>): TurnItem | undefined {
  const seesThinking = scopes.has("thinking");
  if (item.type === "over") return item;
  if (item.type === "event") {
    const event = shownEvent(item.event, seesThinking);
    return event && { type: "event", event };
  }
  const pieces = shownPieces(item.pieces, seesThinking);
  return pieces.length === 0 ? undefined : { type: "pieces", pieces };
}
