import type { Piece } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import type { ShownApproval } from "../../person/show/approvals-of.ts";

/** Where a watched run is shown. */
export interface WatchedPage {
  event(event: StoredEvent, approval: ShownApproval | undefined): void;
  /** Shows what the run is writing. */
  pieces(pieces: readonly Piece[]): void;
  /** No run is at work: what was being written is lost. */
  idle(): void;
  /** Prints lines beside the run, such as those of a question. */
  print(text: string): void;
  /** The status has changed. */
  refresh(): void;
  readonly stream: NodeJS.WriteStream;
  /** How many rows of a question are shown at a time. */
  most(): number;
}
