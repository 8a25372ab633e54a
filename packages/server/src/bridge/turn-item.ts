import type { Piece } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";

/** What a bridge reads of one turn: as the sender of the request may see it (docs/views.md). The last item is `over`, once. */
export type TurnItem =
  /** A stored event with the fields that the view shows. */
  | { readonly type: "event"; readonly event: StoredEvent }
  | { readonly type: "pieces"; readonly pieces: readonly Piece[] }
  | { readonly type: "over"; readonly ending: TurnEnding };

/**
 * Why nothing more of the turn comes for now.
 *
 * - `completed`, `cancelled`: it has ended
 * - `stopped`: a limit or a tool ended it; `message` says which
 * - `waiting`: questions are open
 * - `failed`: it failed, and nobody tries again by itself; `message` is for the person, and holds no words of a server or a store
 * - `parked`: nothing goes on until somebody who runs the service releases the conversation
 */
export interface TurnEnding {
  readonly status: "completed" | "cancelled" | "stopped" | "waiting" | "failed" | "parked";
  /** A code for programs: of the stop, the error or the notice. */
  readonly code?: string;
  readonly message?: string;
}
