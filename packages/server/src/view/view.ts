import type { Piece } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import { Problem } from "../problem.ts";
import { shownEvent } from "./shown-event.ts";
import { shownPieces } from "./shown-pieces.ts";

/** What of a conversation leaves the server. */
export interface View {
  /** Undefined for an event that the view leaves out. */
  event(event: StoredEvent): object | undefined;
  pieces(pieces: readonly Piece[]): readonly Piece[];
}

/**
 * The view that an address asks for: `parts`, what a person may see, or `log`, everything.
 *
 * @throws Problem `invalid_request` for a view that does not exist, `forbidden` for `log` without the scope of that name
 */
export function viewOf({ searchParams }: URL, scopes: ReadonlySet<string>): View {
  const name = searchParams.get("view") ?? "parts";
  if (name === "parts") return partsView(scopes.has("thinking"));
  if (name !== "log") throw new Problem("invalid_request", "`view` of the address is `parts` or `log`.");
  if (!scopes.has("log")) throw new Problem("forbidden", "The view `log` is for users with the scope `log`.");
  return wholeLog;
}

/** @param seesThinking whether reasoning is shown */
function partsView(seesThinking: boolean): View {
  return {
    event: (event) => shownEvent(event, seesThinking),
    pieces: (pieces) => shownPieces(pieces, seesThinking),
  };
}

const wholeLog: View = { event: (event) => event, pieces: (pieces) => pieces };
