/** HTTP requests and their answers, as plain JSON to be kept in a file. It holds no header but those named here. */
export interface Transcript {
  version: 1;
  /** In the order of the requests. */
  exchanges: Exchange[];
}

export interface Exchange {
  request: {
    method: string;
    /** Without the query, which may hold a key. */
    path: string;
    /** Absent if there was none. */
    body?: Piece;
  };
  /** Absent if the request failed without an answer, or was given up before there was one. */
  response?: RecordedResponse;
}

export interface RecordedResponse {
  status: number;
  /** `content-type`, `retry-after` and `retry-after-ms`, so far as they were there. */
  headers: Record<string, string>;
  /** The body as it arrived: one piece for every one that was read. */
  body: Piece[];
  /** Whether the body came to its end, broke off, or was left before its end by who read it. */
  end: "complete" | "broken" | "left";
}

/** Text where the bytes are UTF-8 by themselves, else base64. */
export type Piece = string | { base64: string };

export function toPiece(bytes: Uint8Array): Piece {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
  }
}

export function toBytes(piece: Piece): Uint8Array<ArrayBuffer> {
  if (typeof piece === "string") return new TextEncoder().encode(piece);
  return Uint8Array.from(atob(piece.base64), (character) => character.charCodeAt(0));
}
