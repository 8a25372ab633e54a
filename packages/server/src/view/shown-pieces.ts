import type { Piece } from "@cogency/protocol/parts";
import { cut } from "./cut.ts";

/** What a person may see of pieces: all but reasoning, if they may not see that, and progress no longer than a result. */
export function shownPieces(pieces: readonly Piece[], seesThinking: boolean): Piece[] {
  return pieces.flatMap((piece) => shownPiece(piece, seesThinking) ?? []);
}

function shownPiece(piece: Piece, seesThinking: boolean): Piece | undefined {
  switch (piece.type) {
    case "text":
    case "args":
      return piece;
    case "thinking":
      return seesThinking ? piece : undefined;
    case "progress":
      return { ...piece, update: cut(piece.update) };
    default:
      return undefined;
  }
}
