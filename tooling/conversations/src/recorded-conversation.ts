import type { Piece } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";

/** What a follower of a conversation gets at one moment: a stored event, or pieces of what a run writes. */
export type RecordedItem =
  | { readonly type: "event"; readonly event: StoredEvent }
  | { readonly type: "pieces"; readonly pieces: readonly Piece[] };

/** A conversation as one follower got it from its beginning on, whole: no view has left anything out. */
export interface RecordedConversation {
  readonly name: string;
  /** One sentence: what happens in it. */
  readonly about: string;
  readonly items: readonly RecordedItem[];
}
