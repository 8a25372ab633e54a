import type { ChunkSize } from "./chunks.ts";
import { measureMemory } from "./memory.ts";
import { answer } from "./run-process.ts";

export interface MemoryRequest {
  /** The module under test. */
  module: string;
  chunk: ChunkSize;
}

answer(({ module, chunk }: MemoryRequest) => measureMemory(module, chunk));
