import type { Parts, Piece } from "@cogency/protocol/parts";
import { lastLine, progressAfter } from "./progress.ts";

/** What the calls that run have told of their progress. */
export class CallProgress {
  readonly #told = new Map<string, string>();

  /** Reads pieces. Progress of a call that does not run, by these parts, is late. */
  read(pieces: readonly Piece[], parts: Parts): void {
    for (const piece of pieces) {
      if (piece.type !== "progress") continue;
      const { call: id, update } = piece;
      const call = parts.findLast((part) => part.type === "call" && part.id === id);
      if (call?.type === "call" && call.state === "running")
        this.#told.set(id, progressAfter(update, this.#told.get(id) ?? ""));
    }
  }

  end(id: string): void {
    this.#told.delete(id);
  }

  clear(): void {
    this.#told.clear();
  }

  /** The last line that a call has printed, or what it asks for; empty if it has told nothing. */
  lineOf(id: string): string {
    return lastLine(this.#told.get(id) ?? "");
  }
}
