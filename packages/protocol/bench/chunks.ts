/** Characters a chunk, or everything in one. */
export type ChunkSize = number | "whole";

/** Characters a chunk. */
export function step(text: string, chunk: ChunkSize): number {
  return chunk === "whole" ? text.length : chunk;
}

/**
 * The text in chunks as a decoder delivers them: flat strings of their own. What `slice` gives may point into the whole
 * text or still be a tree, and the first to read it would pay for the others. The text must be ASCII.
 */
export function cut(text: string, chunk: ChunkSize): string[] {
  const bytes = Buffer.from(text, "latin1");
  const length = step(text, chunk);
  const chunks: string[] = [];
  for (let i = 0; i < bytes.length; i += length) chunks.push(bytes.toString("latin1", i, i + length));
  return chunks;
}
