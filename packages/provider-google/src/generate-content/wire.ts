import { isObject } from "@cogency/provider/http";

/** The fields that are read from an event of a stream. Any may be absent or of another type than documented. */
export interface Chunk {
  readonly candidates?: unknown;
  readonly promptFeedback?: unknown;
  readonly usageMetadata?: unknown;
}

/** A part of a content as the wire has it. */
export type WirePart = Readonly<Record<string, unknown>>;

export function isChunk(value: unknown): value is Chunk {
  return isObject(value);
}

/** The candidates of a chunk. There are none in a chunk that holds only the usage, or says that the prompt was blocked. */
export function candidatesOf({ candidates }: Chunk): readonly Record<string, unknown>[] {
  return Array.isArray(candidates) ? candidates.filter(isObject) : [];
}

export function partsOf({ content }: Record<string, unknown>): readonly WirePart[] {
  return isObject(content) && Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
}
