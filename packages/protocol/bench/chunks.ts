/** The number of characters in a chunk, or the whole text in one. */
export type ChunkSize = number | "whole";

/** The number of characters in a chunk. */
export function step(text: string, chunk: ChunkSize): number {
  return chunk === "whole" ? text.length : chunk;
}

/**
 * Cuts the text into chunks as a decoder delivers them: each a flat string of its own. A result of `slice` may point into
 * the whole text or be a tree of strings, and the first contender would pay for flattening it. The text must be ASCII.
 */
export function cut(text: string, chunk: ChunkSize): string[] {
  const bytes = Buffer.from(text, "latin1");
  const length = step(text, chunk);
  const chunks: string[] = [];
  for (let i = 0; i < bytes.length; i += length) chunks.push(bytes.toString("latin1", i, i + length));
  return chunks;
}
