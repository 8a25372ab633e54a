import { type ChunkSize, step } from "./chunks.ts";
import type { Build } from "./ours.ts";
import { transcripts } from "./transcripts.ts";

export interface MemoryRow {
  name: string;
  chunk: ChunkSize;
  /** The number of characters in the largest open block. */
  block: number;
  /** The bytes of heap that the parser holds. */
  held: number;
}

const size = 10_000_000;

/**
 * Measures the heap that a parser holds after 10 MB of text, of thinking, and of one block before and after its end.
 */
export async function measureMemory(module: string, chunk: ChunkSize): Promise<MemoryRow[]> {
  const { createParser } = (await import(module)) as Build;
  const mixed = transcripts.mixed(1.5 * size);
  const argument = transcripts["one argument"](size);
  const held = (input: string, block: number, name: string): MemoryRow => {
    // The text is off the heap, so that each chunk is collected as soon as the parser releases it.
    const bytes = Buffer.from(input, "latin1");
    const length = step(input, chunk);
    const before = heap();
    const parser = createParser();
    for (let i = 0; i < bytes.length; i += length) parser.write(bytes.toString("latin1", i, i + length));
    const after = heap();
    if (parser.ignored > 0) throw new Error(`The parser is done before the end of ${name}.`);
    return { name, chunk, block, held: after - before };
  };
  held(transcripts.mixed(size / 100).text, 0, "what is compiled on the way");
  return [
    held(mixed.text.slice(0, size), 0, "10 MB of text passed through"),
    held(`<think>${"Is it so, or is it not? ".repeat(size / 24)}`, 0, "10 MB of thinking passed through"),
    held(argument.text.slice(0, argument.blockEnd - 10), size, "one block of 10 MB, open"),
    held(argument.text, size, "one block of 10 MB, closed"),
  ];
}

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
