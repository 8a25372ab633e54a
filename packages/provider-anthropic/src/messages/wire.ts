import { isObject } from "@cogency/provider/http";

/** The fields that are read from an event of a Messages stream. Any may be absent or of another type than documented. */
export interface Chunk {
  readonly type?: unknown;
  readonly index?: unknown;
  readonly message?: unknown;
  readonly content_block?: unknown;
  readonly delta?: unknown;
  readonly usage?: unknown;
}

/** A content block as the wire has it. */
export type WireBlock = Readonly<Record<string, unknown>> & { readonly type: string };

export function isChunk(value: unknown): value is Chunk {
  return isObject(value);
}
