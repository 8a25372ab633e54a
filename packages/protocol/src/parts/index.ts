export type {
  CallPart,
  EndPart,
  ErrorPart,
  NoticePart,
  Part,
  PartEvent,
  Parts,
  QuestionPart,
  TextPart,
  ThinkingPart,
  UserPart,
} from "./part.ts";
export { partialArgs, partialJson } from "./partial-json.ts";
export type { ArgsPiece, Piece, ProgressPiece, TextPiece } from "./piece.ts";
export { partsOf, reduceParts } from "./reduce-parts.ts";
export { toParts } from "./to-parts.ts";
export type { NumberedEvent, View } from "./view.ts";
export { emptyView, withEvent, withPieces } from "./view.ts";
