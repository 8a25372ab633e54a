import type { ArgsPiece, Piece, ProgressPiece, TextPiece } from "@cogency/protocol/parts";

/**
 * Writes pieces as JSON arrays of at most so many bytes. The text of a piece that is longer is split between characters; progress that is
 * longer, and a piece whose names alone take most of the bytes, is left out.
 */
export function splitPieces(pieces: readonly Piece[], most: number): string[] {
  const arrays: string[] = [];
  let parts: string[] = [];
  let size = 2;
  const end = () => {
    if (parts.length > 0) arrays.push(`[${parts.join(",")}]`);
    [parts, size] = [[], 2];
  };
  for (const piece of pieces) {
    for (const part of partsOf(piece, most - 2)) {
      const bytes = Buffer.byteLength(part) + 1;
      if (size + bytes > most + 1) end();
      parts.push(part);
      size += bytes;
    }
  }
  end();
  return arrays;
}

/** What a tool says of its progress may be no JSON: it is left out, too. */
function partsOf(piece: Piece, most: number): string[] {
  try {
    return piece.type === "progress" ? wholePart(piece, most) : textParts(piece, most);
  } catch {
    return [];
  }
}

function wholePart(piece: ProgressPiece, most: number): string[] {
  const part = JSON.stringify(piece);
  return Buffer.byteLength(part) <= most ? [part] : [];
}

function textParts(piece: TextPiece | ArgsPiece, most: number): string[] {
  const { text, offset } = piece;
  const room = most - Buffer.byteLength(JSON.stringify({ ...piece, offset: Number.MAX_SAFE_INTEGER, text: "" }));
  if (room < most / 2) return [];
  const parts: string[] = [];
  let start = 0;
  do {
    const end = endOf(text, start, room);
    parts.push(JSON.stringify({ ...piece, offset: offset + start, text: text.slice(start, end) }));
    start = end;
  } while (start < text.length);
  return parts;
}

/** Where a part of the text ends that takes at most so many bytes in JSON. */
function endOf(text: string, start: number, most: number): number {
  let end = start;
  let left = most;
  while (end < text.length) {
    const point = text.codePointAt(end) ?? 0;
    left -= bytesOf(point);
    if (left < 0) break;
    end += point > 0xffff ? 2 : 1;
  }
  return end;
}

/** At most so many bytes: JSON writes control characters and halves of a surrogate pair as six characters. */
function bytesOf(point: number): number {
  if (point < 0x20 || (point >= 0xd800 && point <= 0xdfff)) return 6;
  if (point < 0x80) return point === 0x22 || point === 0x5c ? 2 : 1;
  if (point < 0x800) return 2;
  return point > 0xffff ? 4 : 3;
}
